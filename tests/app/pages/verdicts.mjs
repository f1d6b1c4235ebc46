/** Reads statements and runs as JSON, and writes the conditions that are not met, as the page checks them. */

import { CHECKS, CONDITION_NAMES, guesses, unmet } from "../../../static/js/core/lesson_run.js";

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const cases = JSON.parse(Buffer.concat(chunks).toString());
const answers = cases.map(({ statement, run, offered }) => {
  if (statement) return unmet(statement, run);
  const { predict, check } = offered;
  return check
    ? CHECKS[check.key].options(run.trace, run.step)
    : guesses(run.trace, predict.of, run.step);
});
process.stdout.write(
  JSON.stringify({ answers, conditions: CONDITION_NAMES, checks: Object.keys(CHECKS) }),
);
