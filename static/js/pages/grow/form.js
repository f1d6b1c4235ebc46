/** The form of the page: the task, the switches, and pairs of one's own. */

/** @import {GrowSettings, Switch} from "./state.js" */

import { box, byId, fill, html } from "../../draw/dom.js";
import { DIFFERENCES, OWN, STATE, SWITCHES, saying } from "./state.js";
import { TASKS, taskNamed } from "./tasks.js";

const NOTHING = "";

export class Form {
  #task = byId("grow-task", HTMLSelectElement);
  #pairs = byId("grow-pairs", HTMLTextAreaElement);
  #beside = html.select({ id: "grow-beside" });
  /** @type {Map<Switch, HTMLSelectElement>} */
  #switches = new Map();

  /** @param {(change: Partial<GrowSettings>) => void} change @param {() => void} pairsGiven */
  constructor(change, pairsGiven) {
    fill(
      this.#task,
      [...TASKS, { name: OWN, title: "Pairs of your own" }].map(({ name, title }) => ({
        value: name,
        text: title,
      })),
      TASKS[0].name,
    );
    this.#task.addEventListener("change", () => {
      const task = this.#task.value;
      change({ task });
    });
    box("grow-learn-pairs").addEventListener("click", pairsGiven);
    for (const { name, title, values } of SWITCHES) {
      const select = html.select({ id: `grow-${name}` });
      fill(select, values, values[0].value);
      select.addEventListener("change", () => change(read({ [name]: select.value })));
      this.#switches.set(name, select);
      box("grow-switches").append(field(select, title));
    }
    this.#beside.addEventListener("change", () => change({ beside: this.#beside.value || null }));
    box("grow-switches").append(field(this.#beside, "Beside it, the same but"));
  }

  get pairs() {
    return this.#pairs.value;
  }

  /** @param {GrowSettings} settings */
  show(settings) {
    this.#task.value = settings.task;
    box("grow-own").hidden = settings.task !== OWN;
    const letters = taskNamed(settings.task)?.letters ?? false;
    for (const [name, select] of this.#switches) {
      select.value = String(settings[name]);
      const useless =
        (name === "longest" && !letters) || (name === "order" && settings.attention === "none");
      /** @type {HTMLElement} */ (select.parentElement).hidden = useless;
    }
    const groups = SWITCHES.filter(({ name }) => letters || name !== "longest").map(
      ({ name, title, values }) =>
        html.optgroup(
          { label: title },
          values
            .filter(({ value }) => value !== String(settings[name]))
            .map(({ value }) => html.option({ value: `${name}-${value}` }, saying(name, value))),
        ),
    );
    this.#beside.replaceChildren(html.option({ value: NOTHING }, "nothing"), ...groups);
    const { beside } = settings;
    this.#beside.value = beside && DIFFERENCES.includes(beside) ? beside : NOTHING;
  }
}

/** @param {HTMLSelectElement} select @param {string} title */
const field = (select, title) =>
  html.div({ class: "grow-field" }, html.label({ for: select.id, class: "legend" }, title), select);

/** The settings of texts in the form. @param {Record<string, string>} values @returns {Partial<GrowSettings>} */
function read(values) {
  const settings = STATE.fromQuery(`?${new URLSearchParams(values)}`);
  return Object.fromEntries(
    Object.keys(values).map((name) => [name, settings[/** @type {Switch} */ (name)]]),
  );
}
