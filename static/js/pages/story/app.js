/** Starts the page of stories. */

import { box } from "../../draw/dom.js";
import { installedModels } from "../../shell/fields.js";
import { ModelForm } from "../../shell/model_form.js";
import { startModelPage } from "../../shell/model_page.js";
import { parts } from "./parts.js";
import { story } from "./page.js";

startModelPage(story, parts, {
  form: (submit) => {
    const form = new ModelForm(story, installedModels(), submit);
    // Sentences in the list lead to the field in which they are edited.
    box("edit").addEventListener("click", () => form.edit());
    return form;
  },
  read: async (bytes) => (await import("../../import/story_trace.js")).readStoryTrace(bytes), // most users never import any
});
