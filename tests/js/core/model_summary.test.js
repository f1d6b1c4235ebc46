import assert from "node:assert/strict";
import { test } from "node:test";

import { modelSummary } from "../../../static/js/core/model_summary.js";
import { model } from "../traces.js";

const card = (change) =>
  modelSummary(
    model({ mechanism: "additive", heads: 1, layers: 1, parameters: 242_323, ...change }),
  );

test("a model is told in one line", () => {
  assert.equal(card(), "additive attention · 240K parameters");
  assert.match(
    card({ mechanism: "scaled_dot", heads: 8, layers: 6 }),
    /^scaled dot attention · 8 heads · 6 layers · /,
  );
  assert.match(card({ mechanism: "none" }), /^no attention · /);
});

test("supervised attention is named before its quality", () => {
  const told = card({
    guided: "told in training where to look",
    quality: { alignment_agreement: 0.9, tatoeba_bleu: 40 },
  });
  assert.match(
    told.replaceAll("\u00a0", " "),
    /told in training where to look · looks at the right word 90\.0 % of the time · BLEU/,
  );
});

test("measured quality is shown as a share or as a score", () => {
  const quality = {
    alignment_agreement: 0.97,
    attention_entropy_bits: 0.8,
    exact_match: 0.998,
    multi30k_bleu: 50,
    tatoeba_bleu: 31.42,
  };
  const told = card({ quality }).replaceAll("\u00a0", " ");
  assert.match(
    told,
    /parameters · 99\.8 % correct · looks at the right word 97\.0 % of the time · BLEU 31\.4 on everyday sentences$/,
  );
  assert.match(
    card({ quality: { ...quality, multi30k_test_bleu: 58 } }),
    /BLEU 58\.0 on captions · BLEU 31\.4 on everyday sentences$/,
  );
  assert.match(
    card({ quality: { my_dev_bleu: 12, other_bleu: 3, third_bleu: 4 } }),
    /BLEU 12\.0 on my dev · BLEU 3\.0 on other$/,
  );
});
