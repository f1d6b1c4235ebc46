/** A figure of an audit that is computed when it is asked for, and can be stopped. */

/** @import {AuditProgress} from "../../core/wire" */
/** @import {Now} from "./report.js" */
/** @import {Choices} from "./request.js" */

import { ApiError } from "../../core/api.js";
import { html } from "../../draw/dom.js";
import { save } from "../../draw/download.js";
import { wordOf } from "./model.js";
import { arraysOf, figureOf } from "./request.js";

export class OnDemand {
  #status = html.p({ class: "note", role: "status" });
  #stop = html.button({ type: "button", class: "quiet", hidden: true }, "Stop");
  controls = html.div({ class: "audit-choices" }, this.#stop);
  #files = html.p({ class: "audit-files", hidden: true });
  result = html.div({ class: "audit-result" });
  root;
  #running = new AbortController();
  /** The request of the figure on screen, or on its way. */
  #asked = "";

  /** @param {string} title @param {string} says */
  constructor(title, says) {
    this.#stop.addEventListener("click", () => this.stop("Stopped."));
    this.root = html.section(
      { class: "audit-demand" },
      html.h3(title),
      html.p({ class: "note" }, says),
      this.controls,
      this.#status,
      this.result,
      this.#files,
    );
  }

  /** Stops the figure; what is drawn of it stays. @param {string} [said] */
  stop(said = "") {
    this.#running.abort();
    this.#stop.hidden = true;
    this.#status.textContent = said;
  }

  /** Stops the figure and removes it. */
  forget() {
    this.stop();
    this.#asked = "";
    this.result.replaceChildren();
    this.#files.hidden = true;
  }

  /**
   * Asks for a figure, unless it is the one on screen.
   * @param {Now} now @param {Pick<Choices, "figure" | "row" | "other" | "unit">} further
   * @param {{drawn: (figure: any) => void, part?: (part: NonNullable<AuditProgress["part"]>) => void, csv: (figure: any) => string}} how
   */
  async ask(now, further, { drawn, part, csv }) {
    const choices = { ...now.choices, ...further };
    const key = now.asked.key(choices);
    if (key === this.#asked) return;
    this.forget();
    this.#asked = key;
    this.#running = new AbortController();
    const { signal } = this.#running;
    this.#stop.hidden = false;
    this.#status.textContent = "Computing…";
    try {
      const call = await now.asked.call(choices);
      const figure = await figureOf(call, signal, (share, made) => {
        this.#status.textContent = `Computing… ${Math.round(share * 100)}\u00a0%`;
        if (made) part?.(made);
      });
      if (signal.aborted) return;
      drawn(figure);
      this.stop();
      this.#offer(now, choices, figure, csv);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.forget();
      this.#status.textContent = error.message;
    }
  }

  /** @param {Now} now @param {Choices} choices @param {any} figure @param {(figure: any) => string} csv */
  #offer(now, choices, figure, csv) {
    const name = `heed-${figure.trace.model.id}-${choices.figure}`;
    const files = {
      call: () => now.asked.call(choices),
      say: (/** @type {string} */ text) => void (this.#status.textContent = text),
    };
    this.#files.replaceChildren(...fileButtons(name, figure, csv, files));
    this.#files.hidden = false;
  }
}

/** A figure of the token that is selected, which a press asks for. */
export class RowOnDemand extends OnDemand {
  #press = html.button({ type: "button", class: "quiet" });
  /** @type {{now: Now, row: number} | null} */
  #at = null;

  /** @param {string} title @param {string} says */
  constructor(title, says) {
    super(title, says);
    this.controls.prepend(this.#press);
    this.#press.addEventListener("click", () => {
      if (this.#at) this.pressed(this.#at.now, this.#at.row);
    });
  }

  /** Names the press for a token. @param {Now} now @param {number} row @param {(word: string) => string} text */
  offer(now, row, text) {
    this.#at = { now, row };
    this.#press.textContent = text(wordOf(now.audit.trace, row) || "the end");
  }

  /** Asks for the figure. @abstract @type {(now: Now, row: number) => void} */
  pressed() {}
}

/**
 * The buttons that save a figure.
 * @param {string} name @param {any} figure @param {(figure: any) => string} csv
 * @param {{call: () => Promise<import("./request.js").Call>, say: (text: string) => void} | null} server `call`: asks for the arrays; `say`: says why the server refuses them
 */
export function fileButtons(name, figure, csv, server) {
  const button = (/** @type {string} */ text, /** @type {() => void} */ press) =>
    html.button({ type: "button", class: "quiet", onclick: press }, text);
  const arrays = async (/** @type {NonNullable<typeof server>} */ { call, say }) => {
    const { signal } = new AbortController();
    try {
      save(await arraysOf(await call(), signal), "application/octet-stream", `${name}.npz`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      say(error.message);
    }
  };
  return [
    button("CSV", () => save(`\ufeff${csv(figure)}`, "text/csv", `${name}.csv`)),
    button("JSON", () => save(JSON.stringify(figure), "application/json", `${name}.json`)),
    ...(server ? [button("NPZ", () => void arrays(server))] : []),
  ];
}
