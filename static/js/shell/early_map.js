// Runs before first paint: sizes the table in the page like the map that will replace it (core/map_layout.js).
(() => {
  const LONGEST_WAIT = 3000; // milliseconds until the table stands for a view that did not load
  const ruler = document.createElement("canvas").getContext("2d");
  if (!ruler) return;
  /** @param {number} low @param {number} value @param {number} high */
  const clamp = (low, value, high) => Math.max(low, Math.min(value, high));

  /** @param {HTMLTableCellElement} head */
  const widthOf = (head) =>
    ruler.measureText(head.innerText.trim()).width * (head.dataset.quiet === "mark" ? 0.52 : 1);

  /** @param {number[]} labels @param {number[]} words @param {number} room @returns {[number, boolean, number]} the width of a column, whether its heading is slanted, and the room beyond the last one */
  const columnsOf = (labels, words, room) => {
    const label = Math.ceil(Math.max(0, ...labels));
    const share = Math.floor(room / labels.length);
    if (label <= 24)
      return [clamp(Math.max(14, Math.ceil(Math.max(0, ...words)) + 1), share, 56), false, 0];
    const level = Math.min(label, 88) + 16;
    if (share >= level) return [Math.min(share, 128), false, 0];
    /** @param {number} width */
    const beyond = (width) => {
      const parts = labels.map(
        (each, at) => (at + 0.6 - labels.length) * width + Math.min(each, 128) * 0.67,
      );
      return Math.ceil(Math.max(0, ...parts));
    };
    const width = Math.max(18, Math.floor((room - beyond(share)) / labels.length));
    return [width, true, beyond(width)];
  };

  /** @param {HTMLTableElement} table @param {HTMLElement} box */
  const fit = (table, box) => {
    const { clientWidth: room } = box;
    if (!room || !table.tHead) return; // another view is shown
    ruler.font = `14px ${getComputedStyle(document.body).fontFamily}`;
    const heads = [...(table.tHead.rows[0]?.cells ?? [])].slice(1);
    const labels = heads.map(widthOf);
    const words = heads.filter(({ dataset }) => dataset.quiet !== "mark").map(widthOf);
    const rows = [...(table.tBodies[0]?.rows ?? [])].map(({ cells: [name] }) =>
      name ? widthOf(name) : 0,
    );
    const margin = Math.ceil(Math.max(...rows)) + 26;
    const headWidth = clamp(66, margin, room < 560 ? 92 : 168);
    const [width, slanted, overhang] = columnsOf(labels, words, room - headWidth);
    const label = Math.ceil(Math.max(0, ...labels));
    const headHeight = slanted ? Math.min(Math.ceil(label * 0.75), 96) + 26 : 34;
    const top = box.getBoundingClientRect().top + scrollY;
    const under = document.documentElement.clientHeight - top - 12;
    const high = under - headHeight;
    const query = new URLSearchParams(location.search);
    const fills =
      !("embedded" in document.body.dataset) && !query.has("present") && self === parent;
    const share = Math.floor(high / rows.length);
    const height = Math.min(share < 14 ? 18 : share, fills ? 56 : 30);
    const long = Math.max(rows.length, labels.length) >= 10;
    const low = Math.min(headHeight, 72);
    const exact = Math.min(
      (room - headWidth - 24) / labels.length,
      (Math.max(under, 180) - low) / rows.length,
    );
    const side = clamp(1, exact < 4 ? Math.floor(exact * 64) / 64 : Math.floor(exact), 30);
    const size = query.get("size");
    const larger =
      height * rows.length > high || width * labels.length + overhang > room - headWidth;
    const counts = [rows.length, labels.length];
    const line = Math.max(...counts) > 4 * Math.min(...counts);
    const fits = long && (size === "fit" || (size === null && larger && !line));
    const sizes = fits
      ? { "cell-width": side, "cell-height": side, "head-height": low }
      : { "cell-width": width, "cell-height": height, "head-height": headHeight };
    Object.assign(sizes, { "head-width": headWidth });
    table.toggleAttribute("data-fit", fits);
    table.toggleAttribute("data-named", side >= 12);
    for (const [name, value] of Object.entries(sizes))
      table.style.setProperty(`--${name}`, `${value}px`);
    table.style.setProperty("--columns", String(labels.length));
    table.toggleAttribute("data-slanted", slanted || fits);
    table.toggleAttribute("data-narrow", !slanted && !fits && width < 24);
    table.toggleAttribute("data-numbered", !fits && width >= 28 && height >= 16);
    table.toggleAttribute("data-fitted", true);
  };

  const page = document.documentElement;
  const wait = () => {
    const table = document.getElementById("served");
    // What follows the table in the page is there once the table is whole.
    const whole = table instanceof HTMLTableElement && table.nextElementSibling;
    if (!whole && document.readyState === "loading") {
      requestAnimationFrame(wait);
      return;
    }
    // The view that the address names replaces the table: it is painted only if no script comes.
    if (!["map", null].includes(new URLSearchParams(location.search).get("view"))) {
      setTimeout(() => page.toggleAttribute("data-arriving", false), LONGEST_WAIT);
      return;
    }
    page.toggleAttribute("data-arriving", false); // first: hidden cells have no innerText
    if (whole && table.parentElement) fit(table, table.parentElement);
  };
  // Until then, the table and what stands below it are not painted: they would move with each row.
  page.toggleAttribute("data-arriving", true);
  requestAnimationFrame(wait);
})();
