/** A sound as the browser decodes it; loaded when one is chosen. */

import { wavOf } from "../../core/wav.js";

/** Samples of a second, as models of speech take them. */
const RATE = 16_000;

/** A sound of any format of the browser, as one channel. @param {File} file */
export async function decoded(file) {
  const whole = new OfflineAudioContext(1, 1, RATE);
  const sound = await whole.decodeAudioData(await file.arrayBuffer());
  const merged = new OfflineAudioContext(1, Math.max(sound.length, 1), RATE);
  const source = new AudioBufferSourceNode(merged, { buffer: sound });
  source.connect(merged.destination);
  source.start();
  const rendered = await merged.startRendering();
  return new Blob([wavOf(rendered.getChannelData(0), RATE)], { type: "audio/wav" });
}
