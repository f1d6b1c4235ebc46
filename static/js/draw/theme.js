/** Light or dark: the system's choice until the reader makes one. `early_theme.js` applies it before first paint. */

import { DARK, LIGHT } from "../core/colours.js";
import { Stored, storage } from "../core/stored.js";
import { box } from "./dom.js";

const stored = new Stored("heed-theme", storage("localStorage"));
const system = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;

let onPaper = false;

/** True while the page is laid out for paper. */
export const printing = () => onPaper;

/** @returns {boolean} */
const isDark = () =>
  !onPaper && (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);

export const palette = () => (isDark() ? DARK : LIGHT);

/** @param {() => void} changed called when the colours change */
export function watchTheme(changed) {
  const button = box("theme");
  const announce = () => {
    button.setAttribute("aria-pressed", String(isDark()));
    changed();
  };
  button.addEventListener("click", () => {
    const dark = !isDark();
    const theme = dark === system.matches ? null : dark ? "dark" : "light";
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    stored.keep(theme); // else it lasts for this page
    announce();
  });
  system.addEventListener("change", announce);
  for (const when of ["beforeprint", "afterprint"]) {
    addEventListener(when, () => {
      onPaper = when === "beforeprint";
      changed();
    });
  }
  button.setAttribute("aria-pressed", String(isDark()));
}
