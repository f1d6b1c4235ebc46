/** A page in the frame of a file: its shell, which asks for its contents once its script runs. */

export class Framed {
  #frame;
  /** @type {object | null} */
  #contents = null;

  /** @param {HTMLIFrameElement} frame */
  constructor(frame) {
    this.#frame = frame;
    addEventListener("message", ({ source, data }) => {
      if (source === frame.contentWindow && data?.heed === "ready") this.#fill();
    });
  }

  /** Shows a shell with its contents, as its script reads them. @param {string} shell @param {object} contents */
  show(shell, contents) {
    this.#contents = contents;
    this.#frame.srcdoc = shell;
  }

  #fill() {
    this.#frame.contentWindow?.postMessage(
      {
        heed: "contents",
        json: JSON.stringify(this.#contents),
        bytes: new ArrayBuffer(0),
        position: { row: null, kind: null, layer: null, head: null },
        theme: document.documentElement.dataset.theme ?? null,
      },
      "*",
    );
  }
}
