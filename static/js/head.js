// Runs before first paint, so that a remembered theme never flashes the other one.
(() => {
  try {
    const theme = localStorage.getItem("heed-theme");
    // Within another page the address chooses, and that one stands in the document already.
    if (theme === "dark" || theme === "light") document.documentElement.dataset.theme ||= theme;
  } catch {
    // Storage may be forbidden; the system's theme then holds.
  }
  document.documentElement.classList.add("scripted");
})();
