/** Creates and finds elements. Text is set as text: nothing here parses HTML. */

/**
 * @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Value
 * @typedef {Record<string, Value>} Attributes
 * @typedef {Node | string | null | undefined | false} Child
 * @typedef {Attributes | Child | Child[]} Content
 */

/** @param {Child} child @returns {child is Node | string} */
const isShown = (child) => child !== null && child !== undefined && child !== false;

/** @param {Content} content @returns {content is Attributes} */
const isAttributes = (content) => content?.constructor === Object;

/**
 * Sets an attribute, a listener (`onclick`) or a property of the style (`--share`). `true` sets an
 * empty attribute; `false`, null and undefined remove it.
 * @param {HTMLElement | SVGElement} node @param {string} name @param {Value} value
 */
export function set(node, name, value) {
  if (value === false || value === null || value === undefined) node.removeAttribute(name);
  else if (typeof value === "function") node.addEventListener(name.replace(/^on/, ""), value);
  else if (name.startsWith("--")) node.style.setProperty(name, String(value));
  else node.setAttribute(name, value === true ? "" : String(value));
}

/**
 * Adds the attributes, which come first if there are any, and the children.
 * @template {HTMLElement | SVGElement} T
 * @param {T} node @param {Content[]} content
 */
function filled(node, [first, ...rest]) {
  if (isAttributes(first))
    for (const [name, value] of Object.entries(first)) set(node, name, value);
  else rest.unshift(first);
  node.append(.../** @type {Child[]} */ (rest.flat()).filter(isShown));
  return node;
}

/**
 * Makes an element of this name: `html.td({ class: "margin" }, text)`. The attributes may be missing.
 * Of a list, each item is a child; false, null and undefined are none.
 * @type {{[K in keyof HTMLElementTagNameMap]: (...content: Content[]) => HTMLElementTagNameMap[K]}}
 */
export const html = new Proxy(/** @type {any} */ ({}), {
  get:
    (_, /** @type {string} */ name) =>
    (/** @type {Content[]} */ ...content) =>
      filled(document.createElement(name), content),
});

/**
 * Makes an element of a drawing.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag @param {Content[]} content
 * @returns {SVGElementTagNameMap[K]}
 */
export const svg = (tag, ...content) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), content);

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

/**
 * The element at the target of an event, or the nearest around it, that matches a selector.
 * @template {string} S
 * @param {Pick<Event, "target">} event @param {S} selector
 * @returns {(S extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[S] : Element) | null}
 */
export const around = ({ target }, selector) =>
  target instanceof Element ? /** @type {any} */ (target.closest(selector)) : null;

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

/** Sets the language of a text if it differs, since that restyles all within; an unknown one is left out. @param {HTMLElement} at @param {string} language */
export function setLanguage(at, language) {
  if (at.lang !== language) set(at, "lang", language || null);
}

/** Sets the direction of a text if it differs, since that restyles all within. @param {HTMLElement} at @param {"ltr" | "rtl"} direction */
export function setDirection(at, direction) {
  if (at.dir !== direction) at.dir = direction;
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
    options.every(({ value, text }, index) => {
      const there = select.options[index];
      return there?.value === value && there.text === text;
    });
  if (!same)
    select.replaceChildren(
      ...options.map((option) => html.option({ value: option.value }, option.text)),
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
