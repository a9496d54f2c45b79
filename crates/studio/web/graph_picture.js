// A motion graph: its clips as lines of time, the blends between them as arcs; edges that a walk plays are in front.

import { currentTheme } from "surefoot/theme.js";
import { prepareCanvas } from "surefoot/timeline.js";

/** @typedef {{ clips: { name: string, frames: number }[], nodes: [number, number][], edges: { from: number, to: number, distance?: number }[] }} Graph */

const ROW = 16;
const LEFT = 8;
/** Most clips that are drawn with their names. */
const NAMED = 40;

/** @param {HTMLCanvasElement} canvas @param {Graph} graph @param {number[]} played edges in order */
export function drawGraph(canvas, graph, played) {
  const theme = currentTheme();
  const row = graph.clips.length > NAMED ? 7 : ROW;
  const { pen, width } = prepareCanvas(canvas, graph.clips.length * row + 12);
  const longest = Math.max(...graph.clips.map((clip) => clip.frames), 1);
  const place = (/** @type {number} */ node) => {
    const [clip, frame] = graph.nodes[node];
    return /** @type {[number, number]} */ ([
      LEFT + (frame / longest) * (width - 2 * LEFT),
      8 + clip * row + (row === ROW ? 9 : 2),
    ]);
  };
  const arc = (/** @type {{ from: number, to: number }} */ { from, to }) => {
    const [a, b] = [place(from), place(to)];
    const bow = 6 + 0.12 * Math.abs(b[0] - a[0]);
    pen.beginPath();
    pen.moveTo(...a);
    pen.quadraticCurveTo((a[0] + b[0]) / 2 + bow, (a[1] + b[1]) / 2 - bow, ...b);
    pen.stroke();
  };
  const isBlend = (/** @type {{ distance?: number }} */ edge) => edge.distance !== undefined;
  graph.clips.forEach((clip, index) => {
    const y = 8 + index * row + (row === ROW ? 9 : 2);
    pen.fillStyle = theme.rule;
    pen.fillRect(LEFT, y - 1, (clip.frames / longest) * (width - 2 * LEFT), 2);
    if (row !== ROW) return;
    pen.font = "9px system-ui, sans-serif";
    pen.fillStyle = theme.faint;
    pen.textAlign = "left";
    pen.textBaseline = "bottom";
    pen.fillText(clip.name, LEFT, y - 1);
  });
  pen.strokeStyle = theme.faint;
  pen.lineWidth = 0.6;
  pen.globalAlpha = Math.min(0.5, 60 / Math.max(graph.edges.length, 1));
  for (const edge of graph.edges) if (isBlend(edge)) arc(edge);
  pen.globalAlpha = 1;
  pen.strokeStyle = theme.rightInk;
  pen.fillStyle = theme.rightInk;
  for (const index of played) {
    const edge = graph.edges[index];
    if (!edge) continue;
    pen.lineWidth = 2;
    if (isBlend(edge)) arc(edge);
    else {
      const [a, b] = [place(edge.from), place(edge.to)];
      pen.beginPath();
      pen.moveTo(...a);
      pen.lineTo(...b);
      pen.lineWidth = 3;
      pen.stroke();
    }
  }
  const first = graph.edges[played[0]];
  if (first) {
    pen.beginPath();
    pen.arc(...place(first.from), 4, 0, 7);
    pen.fill();
  }
  const blends = played.filter((index) => graph.edges[index] && isBlend(graph.edges[index])).length;
  canvas.setAttribute(
    "aria-label",
    `Motion graph of ${graph.clips.length} clips, ${graph.nodes.length} nodes and ${graph.edges.length} edges; the walk plays ${played.length} edges, ${blends} of them blends`,
  );
}
