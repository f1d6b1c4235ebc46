/** Creates and finds elements. Text is set as text: nothing here parses HTML. */

/**
 * @typedef {Record<string, string | number | boolean | null | undefined>} Attributes
 * @typedef {Node | string | null | undefined | false} Child
 */

/** @param {Child} child @returns {child is Node | string} */
const isShown = (child) => child !== null && child !== undefined && child !== false;

/**
 * An element with attributes and children. `true` sets an empty attribute; `false`, null and
 * undefined leave it out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Attributes} [attributes] @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter(isShown));
  return made;
}

/**
 * An element of a drawing, with attributes; null and undefined leave one out.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag @param {Attributes} attributes
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  return made;
}

/**
 * The element of this id, which the template contains with this type.
 * @template {HTMLElement} T
 * @param {string} id @param {new () => T} type
 * @returns {T}
 */
export function byId(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} #${id}`);
  return found;
}

/** @param {string} id */
export const box = (id) => byId(id, HTMLElement);

/** Sets a text, or hides the element if it is empty. @param {HTMLElement} at @param {string} text */
export function sayAny(at, text) {
  say(at, text);
  at.hidden = !text;
}

/** Sets a text if it differs from the current one, which avoids a layout. @param {HTMLElement} at @param {string} text */
export function say(at, text) {
  const { firstChild } = at;
  if (!(firstChild instanceof Text)) at.textContent = text;
  else if (firstChild.data !== text) firstChild.data = text;
}

/** Sets the language of a text; an unknown one is left out. @param {HTMLElement} at @param {string} language */
export function setLanguage(at, language) {
  if (language) at.lang = language;
  else at.removeAttribute("lang");
}

/** Replaces the children if they differ. @param {Element} at @param {Node[]} nodes */
export function place(at, nodes) {
  if (
    nodes.length !== at.childNodes.length ||
    nodes.some((node, index) => node !== at.childNodes[index])
  )
    at.replaceChildren(...nodes);
}

/**
 * Sets the options of a select if they differ, and its value.
 * @param {HTMLSelectElement} select @param {{value: string, text: string}[]} options @param {string} value
 */
export function fill(select, options, value) {
  const same =
    select.length === options.length &&
    options.every(
      ({ value, text }, index) =>
        select.options[index].value === value && select.options[index].text === text,
    );
  if (!same)
    select.replaceChildren(
      ...options.map((option) => element("option", { value: option.value }, option.text)),
    );
  select.value = value;
}

/** @returns {Promise<void>} resolves after the next paint */
export function painted() {
  if (document.hidden) return Promise.resolve();
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/** @param {HTMLInputElement} slider @param {number} value in its own units @param {string} text */
export function slide(slider, value, text) {
  const [low, high] = [Number(slider.min), Number(slider.max)];
  slider.value = String(value);
  slider.style.setProperty("--done", `${((value - low) / (high - low)) * 100}%`);
  slider.setAttribute("aria-valuetext", text);
}
