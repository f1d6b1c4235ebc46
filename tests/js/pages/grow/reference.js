/** Runs the network of the page on numbers from the standard input, for a comparison in Python. */

import { readFileSync } from "node:fs";
import { Adam } from "../../../../static/js/pages/grow/adam.js";
import { modelFile } from "../../../../static/js/pages/grow/model_file.js";
import { Network, tensorsOf } from "../../../../static/js/pages/grow/network.js";
import { pairsTask } from "../../../../static/js/pages/grow/pairs.js";
import { Run } from "../../../../static/js/pages/grow/run.js";
import { taskNamed } from "../../../../static/js/pages/grow/tasks.js";
import { traceOf } from "../../../../static/js/pages/grow/trace.js";

const ints = (values) => Int32Array.from(values);

const COMMANDS = {
  tensors: ({ shape }) => tensorsOf(shape),

  learn({ shape, batch, values, rate, steps, simd }) {
    const own = {
      rows: batch.rows,
      lengths: ints(batch.lengths),
      source: ints(batch.source),
      input: ints(batch.input),
      output: ints(batch.output),
    };
    const { rows, source, input } = own;
    const room = { rows, source: source.length / rows, target: input.length / rows };
    const network = new Network(shape, room, simd);
    network.values.set(values);
    network.refresh();
    network.learn(own);
    const gradients = Array.from(network.gradients);
    const adam = new Adam(network.values.length);
    const losses = Array.from({ length: steps }, () => {
      const loss = network.learn(own);
      adam.step(network.values, network.gradients, rate);
      network.refresh();
      return loss;
    });
    return { gradients, losses, values: Array.from(network.values) };
  },

  grow({ task, pairs, settings, updates, text, edits }) {
    const run = new Run(pairs ? pairsTask(pairs).task : taskNamed(task), settings);
    for (let update = 0; update < updates; update++) run.update();
    const { name, bytes } = modelFile(run);
    const trace = traceOf(run, text, edits);
    return { name, zip: Buffer.from(bytes).toString("base64"), trace };
  },
};

const { command, ...given } = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(COMMANDS[command](given)));
