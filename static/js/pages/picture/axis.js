/** The axis of the page of pictures: scenes, sentences and parts for the stage. */

/** @import {PictureScene, PictureSettings, PictureTrace} from "../../core/types" */
/** @import {Axis} from "../../shell/types" */

import { grid } from "../../core/kinds/grid.js";
import { box } from "../../draw/dom.js";
import { PanelTable } from "../../shell/panels.js";
import { noteOf } from "../../core/view_notes.js";
import { viewNamed } from "../../core/views.js";
import { CaptionView } from "./caption_view.js";
import { PictureChoices } from "./choices.js";
import { tableOf } from "./table.js";

/** @type {Axis<PictureSettings, PictureTrace, PictureScene>} */
export const axis = {
  kind: grid.name,
  sceneOf: grid.sceneOf,
  sentence: grid.sentence,
  whileGrowing: (trace, settings) => {
    if (!trace.steps.length || !trace.picture) return null;
    return viewNamed("grid", settings.view).complete
      ? { ...settings, view: viewNamed("grid", "").name }
      : settings;
  },
  hasSelection: ({ cells }) => cells.length > 0,
  noSelection: { cells: [] },
  parts: (wiring) => {
    /** @type {PanelTable<PictureScene>} */
    const table = new PanelTable(tableOf);
    return [
      { draw: drawNotes },
      new CaptionView(wiring),
      new PictureChoices(wiring),
      { draw: (scene) => table.draw(scene), settle: (_, row) => table.at(row) },
    ];
  },
};

/** @param {PictureScene} scene */
function drawNotes(scene) {
  box("stage").dataset.style = scene.style;
  box("view-note").textContent = noteOf("grid", scene);
}
