/** Starts the page of texts: what it requests, and from which form. */

/** @import {Model, Scene, Settings, Trace, TranslateBody} from "../../core/types" */
/** @import {Part} from "../../shell/types" */
/** @import {Sounds} from "./sounds.js" */

import { PASSING, post, translate } from "../../core/api.js";
import { once } from "../../core/once.js";
import { IMPORTED_MODEL } from "../../core/imported_model.js";
import { TRANSCRIBE, soundFields } from "../../core/sound_request.js";
import { hears } from "../../core/sound_task.js";
import { modelOf, passingBody, requestBody } from "../../core/token_request.js";
import { painted } from "../../draw/dom.js";
import { installedModels } from "../../shell/fields.js";
import { load, opened, whole } from "../../shell/large_traces.js";
import { startPage } from "../../shell/page.js";
import { preloaded } from "./preloaded.js";
import { AskForm } from "./form.js";
import { text } from "./page.js";
import { parts } from "./parts.js";
import { handed } from "./handed.js";
import { refetchBody, sameAnswer } from "./vector_refetch.js";

const models = installedModels();

if (models.length) void begin();

/**
 * The note about the language of the input, loaded with the first text that is no example.
 * @param {(model: Model) => void} choose requests the same text from another model
 * @returns {Part<Scene, Settings>}
 */
function languageNote(choose) {
  let needed = false;
  const note = once(async () => {
    await painted();
    const { LanguageNote } = await import("./language_note.js");
    return new LanguageNote(models, choose);
  });
  return {
    async draw(scene) {
      needed ||= !scene.model.examples.includes(scene.trace.source.text);
      if (needed) (await note()).draw(scene);
    },
  };
}

/** The name of weights from a file: that of their model, if they have one. @param {Trace} trace @param {string} file */
function nameOf({ model: { id } }, file) {
  if (id === IMPORTED_MODEL.id) return `Weights in ${file}`;
  return models.find((model) => model.id === id)?.name ?? id;
}

async function begin() {
  const Heard = models.some(hears) ? (await import("./sounds.js")).Sounds : null;
  /** @type {AskForm} */
  let form;

  /**
   * The trace of a request: of a text, or of the sound whose name stands for it.
   * @param {TranslateBody} body @param {Model} model @param {AbortSignal} signal @param {Parameters<typeof translate>[2]} [grows] @param {boolean} [passing] true if nobody asks for the answer again
   */
  async function asked(body, model, signal, grows, passing) {
    if (!hears(model)) return translate(body, signal, grows, passing ? PASSING : {});
    const fields = new FormData();
    fields.append("sound", /** @type {Sounds} */ (form.sounds).get(body.text), body.text);
    for (const [name, value] of soundFields(body)) fields.append(name, value);
    return /** @type {Promise<Trace>} */ (post(TRANSCRIBE, { body: fields }, signal));
  }

  const own = {
    ...parts,
    /** @param {Parameters<typeof parts.of>[0]} wiring */
    of: (wiring) => [...parts.of(wiring), languageNote((model) => form.choose(model))],
  };

  // An embed has no form to choose another model in.
  void startPage(text, "embedded" in document.body.dataset ? parts : own, {
    models,
    exports: async () => (await import("./exports.js")).exports,
    form: (submit) => (form = new AskForm(models, submit, Heard)),
    answer: async (settings, model, signal, grows, passing) => {
      const body = passing ? passingBody(settings, model) : requestBody(settings, model);
      return opened(await asked(body, model, signal, grows, passing), settings, model, signal);
    },
    load,
    whole,
    preloaded: (settings, model) => preloaded(requestBody(settings, model), model),
    read: async (bytes) => (await import("../../import/trace_file.js")).imported(bytes), // most users never import any
    handed,
    importedModel: (trace, file) => ({
      ...modelOf(trace, []),
      id: IMPORTED_MODEL.id,
      name: nameOf(trace, file),
    }),
    refetch: (trace, settings, model) => {
      const body = refetchBody(trace, settings, model);
      return (
        body &&
        (async (signal) => {
          const more = await opened(await asked(body, model, signal), settings, model, signal);
          return sameAnswer(trace, more) ? more : null;
        })
      );
    },
    answered: ({ request, task }) => {
      if (!hears({ task })) form.remember(request.text);
    },
  });
}
