/** A page without a browser: elements that hold what is set, and do nothing. */

class Element extends EventTarget {
  dataset = {};
  style = { setProperty() {}, removeProperty() {} };
  value = "";
  max = "";
  textContent = "";
  hidden = false;
  append() {}
  remove() {}
  replaceChildren() {}
  setAttribute() {}
  removeAttribute() {}
  toggleAttribute() {}
  querySelector() {
    return null;
  }
  querySelectorAll() {
    return [];
  }
}

/** Sets the globals that the shell uses. Its modules are imported after that. */
export function withoutBrowser() {
  const elements = new Map();
  const root = new Element();
  const found = (id) => {
    if (!elements.has(id)) elements.set(id, new Element());
    return elements.get(id);
  };
  const names = ["HTMLElement", "HTMLInputElement", "HTMLButtonElement", "HTMLSelectElement"];
  for (const name of [...names, "Element"]) globalThis[name] = Element;
  Object.assign(globalThis, {
    document: {
      documentElement: root,
      getElementById: found,
      createElement: () => new Element(),
      querySelector: () => null,
      querySelectorAll: () => [],
    },
    addEventListener() {},
    Text: class {},
    ResizeObserver: class {
      observe() {}
    },
    matchMedia: () => Object.assign(new EventTarget(), { matches: false }),
  });
  return { find: found };
}
