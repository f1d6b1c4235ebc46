/** How the stage shows traces of texts. */

/** @import {Scene, Settings, Trace} from "../core/types" */
/** @import {Axis} from "../shell/types" */

import { sceneOf } from "../core/scene.js";
import { sentence } from "../core/sentences.js";
import { viewNamed } from "../views/registry.js";
import { Choices } from "./choices.js";
import { notes } from "./notes.js";
import { Numbers } from "./numbers.js";
import { SentenceView } from "./sentence_view.js";
import { DataTable } from "./table.js";

/** @type {Axis<Settings, Trace, Scene>} */
export const axis = {
  kind: "tokens",
  sceneOf,
  sentence,
  whileGrowing: (_, settings) => (viewNamed("tokens", settings.view).complete ? null : settings),
  hasSelection: ({ selection: { rows, columns } }) => rows.length + columns.length > 0,
  noSelection: { rows: [], columns: [] },
  parts: (wiring) => [
    notes,
    new Choices(wiring),
    new DataTable(wiring),
    new Numbers(),
    new SentenceView(wiring),
  ],
};
