/** The picture that is read, as a canvas to draw on: of as many pixels as the network sees. */

import { dataAddress, forAddress } from "../../core/picture_address.js";
import { byId } from "../../draw/dom.js";

const PAPER = "#ffffff";
const PEN = "#000000";
/** Width of the pen, as a share of the canvas: that of most digits in the training. */
const WIDTH = 0.042;
const OPAQUE = 255;

/** A place on the canvas, in its pixels. @typedef {{x: number, y: number}} Place */

export class DrawingPad {
  #canvas = byId("pad", HTMLCanvasElement);
  #brush = /** @type {CanvasRenderingContext2D} */ (
    this.#canvas.getContext("2d", { willReadFrequently: true })
  );
  /** The last place of the pen, while it draws. @type {Place | null} */
  #last = null;
  /** True if the picture was drawn here, so that another stroke is added to it. */
  #own = false;
  /** Counts the pictures that were requested, of which only the last is shown. */
  #shown = 0;
  /** The picture that the canvas shows, unless it was drawn on since. @type {string | null} */
  #picture = null;
  #changed;

  /** @param {() => void} changed called after each stroke */
  constructor(changed) {
    this.#changed = changed;
    this.#canvas.addEventListener("pointerdown", (event) => this.#pressed(event));
    this.#canvas.addEventListener("pointermove", (event) => this.#moved(event));
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"]))
      this.#canvas.addEventListener(name, () => this.end());
  }

  /** The picture for a request: as it was given if nothing was drawn on it. */
  get picture() {
    return this.#picture ?? forAddress(this.#canvas.toDataURL("image/png"));
  }

  clear() {
    this.#shown++;
    this.#picture = null;
    this.#own = true;
    this.#canvas.toggleAttribute("data-drawn", true); // the path over it is that of another picture
    this.#fill(PAPER);
  }

  /** Shows the picture of a request. One that cannot be decoded leaves the canvas empty; the server says why. @param {string} picture */
  async show(picture) {
    if (picture === this.picture) return; // which may have been drawn here
    const turn = ++this.#shown;
    this.#picture = picture;
    this.#own = false;
    const image = new Image();
    image.src = dataAddress(picture);
    const loaded = await image.decode().then(
      () => true,
      () => false,
    );
    if (turn !== this.#shown) return;
    this.#fill(PAPER);
    if (loaded) this.#fit(image, image.naturalWidth, image.naturalHeight);
  }

  /** Takes the picture of a file; false if another one came meanwhile. Rejects if this browser cannot decode it. @param {Blob} file */
  async take(file) {
    const turn = ++this.#shown;
    const image = await createImageBitmap(file);
    if (turn !== this.#shown) return false;
    this.#picture = null;
    this.#own = false;
    this.#fit(image, image.width, image.height);
    return true;
  }

  /** Fits a picture into the canvas; its first pixel colours the rest. @param {CanvasImageSource} image @param {number} width @param {number} height */
  #fit(image, width, height) {
    const { width: side } = this.#canvas;
    const scale = side / Math.max(width, height);
    const [wide, high] = [width * scale, height * scale];
    this.#fill(PAPER);
    this.#brush.imageSmoothingQuality = "high";
    this.#brush.drawImage(image, (side - wide) / 2, (side - high) / 2, wide, high);
    const [left, top] = [Math.ceil((side - wide) / 2), Math.ceil((side - high) / 2)];
    const [red, green, blue, alpha = 0] = this.#brush.getImageData(left, top, 1, 1).data;
    if (alpha < OPAQUE) return;
    this.#fill(`rgb(${red} ${green} ${blue})`);
    this.#brush.drawImage(image, (side - wide) / 2, (side - high) / 2, wide, high);
  }

  /** @param {string} colour */
  #fill(colour) {
    this.#brush.fillStyle = colour;
    this.#brush.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
  }

  /** @param {PointerEvent} event */
  #pressed(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.#canvas.setPointerCapture(event.pointerId);
    this.begin(this.#place(event));
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    const between = event.getCoalescedEvents?.() ?? [];
    this.draw([...between, event].map((each) => this.#place(each)));
  }

  /** Puts the pen down. @param {Place} at */
  begin(at) {
    if (!this.#own) this.clear();
    this.#picture = null;
    this.#shown++;
    this.#last = at;
    this.draw([at]);
  }

  /** Draws to these places, while the pen is down. @param {Place[]} places */
  draw(places) {
    if (!this.#last) return;
    const brush = this.#brush;
    brush.strokeStyle = PEN;
    brush.lineWidth = WIDTH * this.#canvas.width;
    brush.lineCap = brush.lineJoin = "round";
    brush.beginPath();
    brush.moveTo(this.#last.x, this.#last.y);
    for (const { x, y } of places) {
      brush.lineTo(x, y);
      this.#last = { x, y };
    }
    brush.stroke();
  }

  /** Lifts the pen. */
  end() {
    if (!this.#last) return;
    this.#last = null;
    this.#changed();
  }

  /** A place on the canvas, in its pixels. @param {PointerEvent} event */
  #place({ clientX, clientY }) {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    return {
      x: ((clientX - left) / width) * this.#canvas.width,
      y: ((clientY - top) / height) * this.#canvas.height,
    };
  }
}
