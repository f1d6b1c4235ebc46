/** The page of texts: what it requests, and from which form. */

/** @import {Model, Scene, Settings, Trace, TranslateBody} from "../../core/types" */
/** @import {Page} from "../../shell/types" */

import { post, translate } from "../../core/api.js";
import { IMPORTED_MODEL } from "../../core/imported_model.js";
import { modelOf, requestSettings } from "../../core/saved.js";
import { TRANSCRIBE, hears, soundFields } from "../../core/sound_request.js";
import { STATE } from "../../core/state.js";
import { visible } from "../../core/text.js";
import { requestBody } from "../../core/token_request.js";
import { start } from "../../shell/served.js";
import { byId } from "../../draw/dom.js";
import { FileDrop } from "../../shell/file_drop.js";
import { load, opened, whole } from "../../shell/large_traces.js";
import { preloaded } from "../../shell/preloaded_trace.js";
import { stagesOf } from "../../views/compare/stages.js";
import { axis } from "./axis.js";
import { AskForm } from "./form.js";
import { LanguageNote } from "./language_note.js";
import { refetchBody, sameAnswer } from "./vector_refetch.js";

/** @type {Model[]} */
const models = JSON.parse(byId("ask", HTMLFormElement).dataset.models ?? "[]");
const embedded = "embedded" in document.body.dataset;
/** @type {AskForm | null} */
let form = null;

/**
 * The trace of a request: of a text, or of the sound whose name stands for it.
 * @param {TranslateBody} body @param {Model} model @param {AbortSignal} signal @param {Parameters<typeof translate>[2]} [grows]
 */
async function asked(body, model, signal, grows) {
  if (!hears(model) || !form) return translate(body, signal, grows);
  const fields = new FormData();
  fields.append("sound", form.sounds.get(body.text), body.text);
  for (const [name, value] of soundFields(body)) fields.append(name, value);
  return /** @type {Promise<Trace>} */ (post(TRANSCRIBE, { body: fields }, signal));
}

/** @type {Page<Settings, Trace, Scene>} */
const page = {
  axis: {
    ...axis,
    parts: (wiring) => [
      ...axis.parts(wiring),
      // An embed has no form to choose another model in.
      ...(embedded ? [] : [new LanguageNote(models, (model) => form?.choose(model))]),
    ],
  },
  state: STATE,
  models,
  exports: async () => (await import("./exports.js")).exports,
  form: (submit) => (form = new AskForm(models, submit)),
  files: ({ open }) => void new FileDrop(open),
  answer: async (settings, model, signal, grows) =>
    opened(
      await asked(requestBody(settings, model), model, signal, grows),
      settings,
      model,
      signal,
    ),
  load,
  whole,
  preloaded: (settings, model) => preloaded(requestBody(settings, model), model),
  read: async (bytes) => (await import("../../import/trace_file.js")).imported(bytes), // most users never import any
  modelOf: (trace) => modelOf(trace, models),
  importedModel: () => IMPORTED_MODEL,
  adopt: requestSettings,
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
  example: ({ text, view }, change, model) => {
    if (text !== null || view === "compare" || change.view !== "compare") return null;
    const [stage] = stagesOf(model, models);
    return stage ? { text: stage.text } : null;
  },
  answered: ({ request, task }) => {
    if (!hears({ task })) form?.remember(request.text);
  },
  title: ({ source }, file) => file ?? source.text,
  frameTitle: ({ source, text }) =>
    source.written === undefined && text
      ? `${visible(source.text)} → ${visible(text)}`
      : visible(source.text),
  refused: "empty",
  notices: {
    saved: "This is a saved result. Translate a new sentence to continue.",
    imported: (file) => `These are the weights in ${file}. Translate a new sentence to return.`,
  },
};

if (models.length) start(page);
