import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { colour, contrast, DARK, inkOn, LIGHT } from "../../../static/js/core/colours.js";

const css = readFileSync(new URL("../../../static/css/heed.css", import.meta.url), "utf8");
const positions = Array.from({ length: 101 }, (_, i) => i / 100);

/** The two values of a colour in the style sheet. */
function ofStyleSheet(name) {
  const [, light, dark] = css.match(new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`));
  return { light, dark };
}

test("contrast is that of WCAG", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#777777", "#777777"), 1);
});

for (const palette of [LIGHT, DARK]) {
  test(`${palette.name}: the scale starts at the colour of the page`, () => {
    assert.equal(palette.stops[0], ofStyleSheet("paper")[palette.name]);
    assert.equal(palette.line, ofStyleSheet("grid")[palette.name]);
    assert.equal(palette.ink, ofStyleSheet("ink")[palette.name]);
    assert.equal(colour(palette, 0), palette.stops[0]);
    assert.equal(colour(palette, 1), palette.stops.at(-1));
  });

  test(`${palette.name}: more weight always has more contrast, so that hues need not be distinguished`, () => {
    const contrasts = positions.map((position) =>
      contrast(colour(palette, position), palette.stops[0]),
    );
    contrasts
      .slice(1)
      .forEach((value, index) => assert.ok(value >= contrasts[index], `at ${index}`));
    assert.ok(contrasts.at(-1) > 10);
  });

  test(`${palette.name}: ink on any shade can be read`, () => {
    for (const position of positions) {
      const background = colour(palette, position);
      assert.ok(contrast(background, inkOn(background)) >= 4.5, `at ${position}`);
    }
  });

  test(`${palette.name}: the page's own inks can be read on its paper`, () => {
    const paper = ofStyleSheet("paper")[palette.name];
    for (const name of ["ink", "soft", "accent", "error"]) {
      for (const ground of [
        paper,
        ofStyleSheet("raised")[palette.name],
        ofStyleSheet("hover")[palette.name],
      ]) {
        assert.ok(
          contrast(ofStyleSheet(name)[palette.name], ground) >= 4.5,
          `${name} on ${ground}`,
        );
      }
    }
    assert.ok(contrast(ofStyleSheet("edge")[palette.name], paper) >= 3, "outlines");
    assert.ok(
      contrast(ofStyleSheet("on-accent")[palette.name], ofStyleSheet("accent")[palette.name]) >=
        4.5,
    );
  });
}

test("an invalid position has the colour of 0", () => {
  assert.equal(colour(LIGHT, NaN), LIGHT.stops[0]);
  assert.equal(colour(LIGHT, -3), LIGHT.stops[0]);
  assert.equal(colour(LIGHT, 3), LIGHT.stops.at(-1));
});

test("the steps of the style sheet are those of the scale, each with an ink that reads on it", () => {
  const page = readFileSync(new URL("../../../static/css/page.css", import.meta.url), "utf8");
  const rules = [...page.matchAll(/^([^\n{]*\[data-shade[^{]*) \{ (.*) \}$/gm)];
  /** The properties of a step, by the rules that it matches in their order. */
  const styleOf = (step) =>
    Object.assign(
      {},
      ...rules
        .filter(([, selector]) => selector === "[data-shade]" || selector.includes(`"${step}"`))
        .map(([, , body]) =>
          Object.fromEntries(body.match(/--[^;]+/g).map((one) => one.split(": "))),
        ),
    );
  for (let step = 1; step <= 24; step++) {
    const { "--from": from, "--to": to, "--part": part, "--on": on } = styleOf(step);
    const at = Number(from.match(/\d/)[0]);
    assert.equal(to, `var(--stop-${at + 1})`);
    assert.equal((at + parseFloat(part) / 100) / 6, step / 24);
    for (const palette of [LIGHT, DARK]) {
      const { name, stops } = palette;
      assert.equal(stops[at + 1], ofStyleSheet(`stop-${at + 1}`)[name]);
      const shade = colour(palette, step / 24);
      if (on === "var(--soft)") assert.ok(contrast(shade, ofStyleSheet("soft")[name]) >= 4.5);
      else
        assert.equal(
          on.match(/light-dark\((.*), (.*)\)/)?.[name === "light" ? 1 : 2] ?? on,
          inkOn(shade) === "#000000" ? "#000" : "#fff",
        );
    }
  }
});
