// Sounds made on the spot; off until somebody wants them.

import { memory } from "./dom.js";

let context = null;

export const soundOn = () => memory.get("sound", false);

export function setSound(on) {
  memory.set("sound", on);
  // To begin with sound can take a while, and the button must answer first.
  if (on) requestAnimationFrame(() => setTimeout(() => play("move")));
}

const KINDS = {
  move: [[220, 0.07, "triangle"]],
  take: [
    [180, 0.06, "triangle"],
    [120, 0.1, "square"],
  ],
  stone: [
    [900, 0.03, "triangle"],
    [400, 0.04, "sine"],
  ],
  alarm: [
    [520, 0.1, "sine"],
    [660, 0.14, "sine"],
  ],
  refused: [[160, 0.14, "sawtooth"]],
  end: [
    [392, 0.16, "sine"],
    [494, 0.16, "sine"],
    [587, 0.3, "sine"],
  ],
};

/** One of the sounds above, if sound is on. */
export function play(kind) {
  if (!soundOn()) return;
  context ??= new AudioContext();
  let at = context.currentTime + 0.01;
  for (const [pitch, length, type] of KINDS[kind] ?? KINDS.move) {
    const tone = new OscillatorNode(context, { frequency: pitch, type });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(0.09, at + 0.008);
    volume.gain.exponentialRampToValueAtTime(0.0008, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length + 0.02);
    at += length * 0.8;
  }
}
