// The lesson's sequences: shapes on a baseline, and a network's targets. The numbers are those of sequences.py.
import { clamp } from "../../alive/js/numbers.js";

export const LENGTH = 100;
export const WIDTH = 8;
export const LOWEST = 2;
export const HIGHEST = 28;
export const MIDDLE = 3; // the index of the first of a shape's two middle points
export const OUTLINE = {
  triangle: [0.25, 0.5, 0.75, 1, 1, 0.75, 0.5, 0.25],
  rectangle: [1, 1, 1, 1, 1, 1, 1, 1],
};
/** @type {(kind: Attention.Kind) => Attention.Kind} */
export const other = (kind) => (kind === "triangle" ? "rectangle" : "triangle");

/**
 * Shapes {kind, left, height} as a sequence of heights (T).
 *
 * @param {Attention.Shape[]} shapes
 * @param {number[]} heights
 */
export function drawn(shapes, heights = shapes.map((shape) => shape.height)) {
  const sequence = new Float32Array(LENGTH);
  shapes.forEach(({ kind, left }, n) => OUTLINE[kind].forEach((h, i) => { sequence[left + i] = h * heights[n]; }));
  return sequence;
}

/**
 * The numbers of the shapes that share a height with shape n: the shapes of its kind (task 1), or on its side (task 2).
 *
 * @param {Attention.Shape[]} shapes
 * @param {number} task
 * @param {number} n
 */
export function partners(shapes, task, n) {
  const all = shapes.map((_, i) => i), order = [...all].sort((a, b) => shapes[a].left - shapes[b].left);
  /** @param {number} i */
  const side = (i) => order.indexOf(i) < shapes.length / 2;
  return all.filter((i) => (task === 1 ? shapes[i].kind === shapes[n].kind : side(i) === side(n)));
}

/**
 * The sequence in which each shape has the mean height of its partners.
 *
 * @param {Attention.Shape[]} shapes
 * @param {number} task
 */
export function target(shapes, task) {
  return drawn(shapes, shapes.map((_, n) => {
    const group = partners(shapes, task, n);
    return group.reduce((sum, i) => sum + shapes[i].height, 0) / group.length;
  }));
}

/**
 * The position nearest to `wished` at which shape n overlaps no other shape; a shape may jump over others.
 *
 * @param {Attention.Shape[]} shapes
 * @param {number} n
 * @param {number} wished
 */
export function free(shapes, n, wished) {
  /** @param {number} left */
  const fits = (left) =>
    left >= 0 && left <= LENGTH - WIDTH && shapes.every((shape, i) => i === n || Math.abs(shape.left - left) >= WIDTH);
  for (let far = 0; far < LENGTH; far++) for (const left of [wished - far, wished + far]) if (fits(left)) return left;
  return shapes[n].left;
}

/**
 * The next free position of shape n in a direction, at least `step` away; its own position if there is none.
 *
 * @param {Attention.Shape[]} shapes
 * @param {number} n
 * @param {number} step
 */
export function next(shapes, n, step) {
  const from = shapes[n].left;
  for (let left = from + step; left >= 0 && left <= LENGTH - WIDTH; left += Math.sign(step))
    if (free(shapes, n, left) === left) return left;
  return from;
}

/** Two triangles and two rectangles of random heights at random positions. */
export function random() {
  /** @type {Attention.Shape[]} */
  const shapes = [];
  /** @type {Attention.Kind[]} */
  const kinds = ["triangle", "triangle", "rectangle", "rectangle"];
  for (const kind of kinds) {
    const height = Math.round(LOWEST + (HIGHEST - LOWEST) * Math.random());
    const n = shapes.push({ kind, height, left: -LENGTH }) - 1;
    shapes[n].left = free(shapes, n, Math.floor(Math.random() * (LENGTH - WIDTH + 1)));
  }
  return shapes;
}

/**
 * The number of the shape that covers a position, or -1 for the ground.
 *
 * @type {(shapes: Attention.Shape[], t: number) => number}
 */
export const at = (shapes, t) => shapes.findIndex(({ left }) => t >= left && t < left + WIDTH);

/** @type {(h: number) => number} */
export const asHeight = (h) => Math.round(2 * clamp(h, LOWEST, HIGHEST)) / 2;

/**
 * A network's input (C, T): standardised heights, and below them the codes of the positions, if the network has them.
 *
 * @param {Float32Array} sequence
 * @param {Pick<Attention.Network, "scale" | "codes">} network
 * @param {string} mistake
 */
export function input(sequence, { scale, codes }, mistake = "") {
  const x = new Float32Array(LENGTH + codes.length);
  sequence.forEach((height, t) => { x[t] = (height - scale.x.mean) / scale.x.std; });
  /** @param {number} n */
  const index = (n) => (mistake === "encoding_constant" ? n - (n % LENGTH) : n); // the code of position 0
  codes.forEach((_, n) => { x[LENGTH + n] = codes[index(n)]; });
  return x;
}
