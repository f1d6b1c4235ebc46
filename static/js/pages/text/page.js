/** The description of the page of texts: one is read, another one is written. Pure. */

import { pageOf } from "../../core/page.js";
import { sceneOf } from "../../core/scene.js";
import { STATE } from "../../core/state.js";
import { visible } from "../../core/text.js";
import { modelOf, requestKey, requestSettings } from "../../core/token_request.js";

/** @type {import("../../core/types").PageFacts<"tokens">} */
export const text = pageOf({
  id: "text",
  kind: "tokens",
  state: STATE,
  sceneOf,
  keyOf: requestKey,
  settingsOf: requestSettings,
  modelOf,
  title: ({ source }) => source.text,
  frameTitle: ({ source, text }) =>
    source.written === undefined && text
      ? `${visible(source.text)} → ${visible(text)}`
      : visible(source.text),
  notices: {
    saved: "This is a saved result. Translate a new sentence to continue.",
    imported: (file) => `These are the weights in ${file}. Translate a new sentence to return.`,
  },
});
