// Runs before first paint, so that a remembered theme never flashes the other one, and nothing jumps.
(() => {
  try {
    const theme = localStorage.getItem("heed-theme");
    // Within another page the address chooses, and that one stands in the document already.
    if (theme === "dark" || theme === "light") document.documentElement.dataset.theme ||= theme;
    // What was asked lately gets its room at once; filled in later, it would push the page down.
    document.documentElement.toggleAttribute(
      "data-recent",
      (localStorage.getItem("heed-recent") ?? "[]") !== "[]",
    );
  } catch {
    // Storage may be forbidden; the system's theme then holds.
  }
  document.documentElement.classList.add("scripted");
  // Only the map needs Plotly, and the map is the default view.
  const plotly = document.currentScript?.dataset.plotly;
  if (plotly && (new URLSearchParams(location.search).get("view") ?? "map") === "map") {
    const link = Object.assign(document.createElement("link"), {
      rel: "preload",
      as: "script",
      href: plotly,
    });
    document.head.append(link);
  }
})();
