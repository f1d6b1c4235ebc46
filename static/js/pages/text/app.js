/** Starts the page of texts: what it requests, and from which form. */

/** @import {Model, Trace, TranslateBody} from "../../core/types" */

import { post, translate } from "../../core/api.js";
import { IMPORTED_MODEL } from "../../core/imported_model.js";
import { TRANSCRIBE, hears, soundFields } from "../../core/sound_request.js";
import { requestBody } from "../../core/token_request.js";
import { installedModels } from "../../shell/fields.js";
import { load, opened, whole } from "../../shell/large_traces.js";
import { startPage } from "../../shell/page.js";
import { preloaded } from "../../shell/preloaded_trace.js";
import { stagesOf } from "../../views/compare/stages.js";
import { AskForm } from "./form.js";
import { LanguageNote } from "./language_note.js";
import { text } from "./page.js";
import { parts } from "./parts.js";
import { refetchBody, sameAnswer } from "./vector_refetch.js";

const models = installedModels();

if (models.length) begin();

function begin() {
  /** @type {AskForm} */
  let form;

  /**
   * The trace of a request: of a text, or of the sound whose name stands for it.
   * @param {TranslateBody} body @param {Model} model @param {AbortSignal} signal @param {Parameters<typeof translate>[2]} [grows]
   */
  async function asked(body, model, signal, grows) {
    if (!hears(model)) return translate(body, signal, grows);
    const fields = new FormData();
    fields.append("sound", form.sounds.get(body.text), body.text);
    for (const [name, value] of soundFields(body)) fields.append(name, value);
    return /** @type {Promise<Trace>} */ (post(TRANSCRIBE, { body: fields }, signal));
  }

  const own = {
    ...parts,
    /** @param {Parameters<typeof parts.of>[0]} wiring */
    of: (wiring) => [...parts.of(wiring), new LanguageNote(models, (model) => form.choose(model))],
  };

  // An embed has no form to choose another model in.
  void startPage(text, "embedded" in document.body.dataset ? parts : own, {
    models,
    exports: async () => (await import("./exports.js")).exports,
    form: (submit) => (form = new AskForm(models, submit)),
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
    importedModel: () => IMPORTED_MODEL,
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
      if (!hears({ task })) form.remember(request.text);
    },
  });
}
