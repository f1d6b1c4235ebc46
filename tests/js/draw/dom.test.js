import assert from "node:assert/strict";
import { before, test } from "node:test";

import { html, svg } from "../../../static/js/draw/dom.js";

/** The parts of an element that the page makes elements with. */
class FakeElement {
  attributes = /** @type {Record<string, string>} */ ({});
  children = /** @type {unknown[]} */ ([]);
  listeners = /** @type {Record<string, unknown>} */ ({});
  properties = /** @type {Record<string, string>} */ ({});
  style = {
    setProperty: (/** @type {string} */ name, /** @type {string} */ value) => {
      this.properties[name] = value;
    },
  };

  /** @param {string} name @param {string} [namespace] */
  constructor(name, namespace) {
    this.name = name;
    this.namespace = namespace;
  }

  /** @param {string} name @param {string} value */
  setAttribute(name, value) {
    this.attributes[name] = value;
  }

  /** @param {string} name */
  removeAttribute(name) {
    delete this.attributes[name];
  }

  /** @param {string} name @param {unknown} listener */
  addEventListener(name, listener) {
    this.listeners[name] = listener;
  }

  /** @param {...unknown} children */
  append(...children) {
    this.children.push(...children);
  }
}

/** @param {unknown} made @returns {FakeElement} */
const fake = (made) => /** @type {FakeElement} */ (made);

before(() => {
  Object.assign(globalThis, {
    document: {
      createElement: (/** @type {string} */ name) => new FakeElement(name),
      createElementNS: (/** @type {string} */ namespace, /** @type {string} */ name) =>
        new FakeElement(name, namespace),
    },
  });
});

test("an element has its attributes and its children", () => {
  const made = fake(html.td({ class: "margin", colspan: 2 }, "0.5"));
  assert.deepEqual(
    [made.name, made.attributes, made.children],
    ["td", { class: "margin", colspan: "2" }, ["0.5"]],
  );
});

test("the attributes may be missing", () => {
  const cell = html.td("a");
  assert.deepEqual(fake(html.tr(cell, "b")).children, [cell, "b"]);
  assert.deepEqual(fake(html.tr()).children, []);
});

test("each item of a list is a child", () => {
  assert.deepEqual(fake(html.ol(["a", "b"], "c")).children, ["a", "b", "c"]);
});

test("what is false, null or undefined is left out", () => {
  const made = fake(html.p({ hidden: false, title: null, dir: undefined }, false, null, undefined));
  assert.deepEqual([made.attributes, made.children], [{}, []]);
});

test("true is an empty attribute, and 0 and the empty text are values", () => {
  const made = fake(html.p({ hidden: true, tabindex: 0, value: "" }, ""));
  assert.deepEqual(
    [made.attributes, made.children],
    [{ hidden: "", tabindex: "0", value: "" }, [""]],
  );
});

test("a function is a listener, and two hyphens begin a property of the style", () => {
  const press = () => {};
  const made = fake(html.button({ onclick: press, "--share": 0.5 }));
  assert.deepEqual(
    [made.listeners, made.properties, made.attributes],
    [{ click: press }, { "--share": "0.5" }, {}],
  );
});

test("markup in a text or an attribute stays text", () => {
  const markup = '<img src="x" onerror="alert(1)">';
  const made = fake(html.p({ title: markup }, markup));
  assert.deepEqual([made.attributes, made.children], [{ title: markup }, [markup]]);
});

test("an element of a drawing is in the namespace of SVG", () => {
  const path = svg("path", { d: "M0 0" });
  const made = fake(svg("g", path));
  assert.equal(made.namespace, "http://www.w3.org/2000/svg");
  assert.deepEqual(made.children, [path]);
});
