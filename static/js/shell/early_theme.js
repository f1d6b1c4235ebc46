// Runs before first paint, so that a stored theme is applied at once, and the layout does not shift. Keeps files that are dropped until the page takes them.
(() => {
  try {
    const theme = localStorage.getItem("heed-theme");
    // In a frame, the theme of the address applies, which the document already has.
    if (theme === "dark" || theme === "light") document.documentElement.dataset.theme ||= theme;
    // The recent texts get their room at once; otherwise they would shift the page later.
    document.documentElement.toggleAttribute(
      "data-recent",
      (localStorage.getItem("heed-recent") ?? "[]") !== "[]",
    );
  } catch {
    // Storage may be forbidden; the system's theme then applies.
  }
  document.documentElement.classList.add("scripted");
  // Without this, a browser opens a dropped file in place of the page. The script that takes it may come later.
  window.ondragover = window.ondrop = (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (event.type === "drop") window.dropped = [...event.dataTransfer.files];
  };
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
