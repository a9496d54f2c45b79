// A bar of the time line: a stance or a contact, with a frame where it is selected, and marks at the ends that can be dragged.

import { currentTheme } from "surefoot/theme.js";

/** Least width in pixels at which ends have marks. */
const WIDE = 16;

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {{
 *   from: number, to: number, top: number, height: number, least: number, radius: number, ink: string, alpha: number, isChosen: boolean,
 *   inset: number, ends: readonly ("first" | "last")[],
 * }} bar pixels; `least` is its least width, `inset` how far marks keep from its long sides
 */
export function drawBar(pen, { from, to, top, height, least, radius, ink, alpha, isChosen, inset, ends }) {
  const theme = currentTheme();
  pen.fillStyle = ink;
  pen.globalAlpha = alpha;
  pen.beginPath();
  pen.roundRect(from + 0.5, top, Math.max(to - from - 1, least), height, radius);
  pen.fill();
  pen.globalAlpha = 1;
  if (isChosen) {
    pen.strokeStyle = theme.ink;
    pen.lineWidth = 1.5;
    pen.stroke();
  }
  if (to - from <= WIDE) return;
  pen.fillStyle = theme.panel;
  for (const end of ends) pen.fillRect(end === "first" ? from + 3.5 : to - 5.5, top + inset, 2, height - 2 * inset);
}
