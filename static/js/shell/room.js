/** The room of pictures whose size the style sheet decides: from their top to the end of the first screen. */

import { roomBelow } from "../draw/scrolling.js";

/** Less than this is no picture; the page scrolls instead. */
const LEAST = 220;

/** Keeps `--room` of each `data-fits` true while the form, the sentence or the window change. */
export function watchRoom() {
  let frame = 0;
  const measure = () => {
    frame = 0;
    for (const place of document.querySelectorAll("[data-fits]"))
      if (place instanceof HTMLElement && place.offsetWidth)
        place.style.setProperty("--room", `${Math.floor(roomBelow(place, LEAST))}px`);
  };
  // In the next frame: a size that changes while sizes are reported is an error.
  new ResizeObserver(() => (frame ||= requestAnimationFrame(measure))).observe(document.body);
  addEventListener("resize", measure);
}
