/**
 * The widget of a notebook, for anywidget: the page of a trace in a frame within a shadow root. The
 * frame has the views; this module hands it the trace and keeps the position equal to Python's.
 */

/** @import {Position} from "../shell/host.js" */

/**
 * The model of a widget, as far as it is used here.
 * @typedef {object} WidgetModel
 * @property {(name: string) => any} get @property {(name: string, value: unknown) => void} set
 * @property {(event: string, call: () => void) => void} on
 * @property {(event: string, call: () => void) => void} off
 * @property {() => void} save_changes
 */

const FIELDS = /** @type {const} */ (["row", "kind", "layer", "head"]);
const STYLE = `
  :host { display: block; }
  div { overflow: hidden; resize: vertical; min-height: 12rem; box-sizing: border-box; }
  iframe { display: block; width: 100%; height: 100%; border: 0; }
`;

/** @param {WidgetModel} model @returns {Position} */
const positionOf = (model) => ({
  row: model.get("row"),
  kind: model.get("kind"),
  layer: model.get("layer"),
  head: model.get("head"),
});

/** The text of gzipped bytes. @param {DataView<ArrayBuffer>} bytes */
const inflated = (bytes) =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();

/** The theme of the notebook, null if it follows the system. */
function theme() {
  const { jpThemeLight, theme: named } = document.body.dataset;
  if (jpThemeLight) return jpThemeLight === "true" ? "light" : "dark";
  if (named) return named;
  return document.body.classList.contains("dark") ? "dark" : null;
}

/** @param {{model: WidgetModel, el: HTMLElement}} view */
async function render({ model, el }) {
  const root = el.shadowRoot ?? el.attachShadow({ mode: "open" });
  const style = Object.assign(document.createElement("style"), { textContent: STYLE });
  const box = document.createElement("div");
  const frame = document.createElement("iframe");
  box.style.height = `${model.get("height")}px`;
  frame.title = "Attention";
  frame.setAttribute("sandbox", "allow-scripts allow-downloads allow-popups");
  box.append(frame);

  /** True while the fields are set to what the frame says, which it knows already. */
  let receiving = false;
  const post = (/** @type {object} */ message) => frame.contentWindow?.postMessage(message, "*");
  const contents = () => {
    const { buffer, byteOffset, byteLength } = /** @type {DataView} */ (model.get("_numbers"));
    post({
      heed: "contents",
      json: model.get("_contents"),
      bytes: buffer.slice(byteOffset, byteOffset + byteLength),
      position: positionOf(model),
      theme: theme(),
    });
  };
  const listen = (/** @type {MessageEvent} */ { source, data }) => {
    if (source !== frame.contentWindow) return;
    if (data?.heed === "ready") contents();
    if (data?.heed !== "position") return;
    receiving = true;
    for (const name of FIELDS)
      if (model.get(name) !== data.position[name]) model.set(name, data.position[name]);
    receiving = false;
    model.save_changes();
  };
  const send = () => {
    if (!receiving) post({ heed: "position", position: positionOf(model) });
  };
  const resize = () => void (box.style.height = `${model.get("height")}px`);
  addEventListener("message", listen);
  for (const name of FIELDS) model.on(`change:${name}`, send);
  model.on("change:height", resize);

  frame.srcdoc = await inflated(model.get("_page"));
  root.replaceChildren(style, box);
  return () => {
    removeEventListener("message", listen);
    for (const name of FIELDS) model.off(`change:${name}`, send);
    model.off("change:height", resize);
  };
}

export default { render };
