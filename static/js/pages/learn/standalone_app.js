/** Starts a tool of lessons in the frame of a file, once the page around it has sent its contents. */

import { html } from "../../draw/dom.js";
import { received } from "../../shell/host.js";

/** The tools, of which a file has one. @type {Record<string, () => Promise<unknown> | null>} */
const TOOLS = {
  score: () => import("./score.js"),
  softmax: () => import("./softmax.js"),
  watch: () => import("./watch.js"),
  cost: () => import("./cost.js"),
  timeline: () => import("./timeline.js"),
  grow: () => import("../grow/app.js"),
};

async function start() {
  const { contents, theme, end } = await received();
  end();
  if (theme) document.documentElement.dataset.theme = theme;
  const text = JSON.stringify(contents);
  document.head.append(html.script({ type: "application/json", id: "taken" }, text));
  for (const load of Object.values(TOOLS)) await load();
}

void start();
