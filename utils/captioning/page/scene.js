// A scene as the lesson draws it: shapes of one colour on a ground, their picture, and whether a caption of it is true.
// Outlines, colours and sizes as in utils/captioning/scenes/scene.py; the sentences as in
// utils/captioning/scenes/grammar.py.
import { clamp } from "../../alive/js/numbers.js";

export const SIDE = 64; // pixels of the picture that the network sees
const FINE = 3; // the picture is drawn three times as large, then averaged, so that edges are smooth
/** @type {Record<string, number[]>} */
export const COLOURS = {
  red: [214, 40, 40], orange: [247, 140, 20], yellow: [250, 222, 40], green: [40, 150, 60],
  blue: [40, 80, 200], purple: [130, 50, 160], pink: [250, 140, 190], brown: [120, 75, 40],
};
/** @type {Record<string, number[]>} */
export const BACKGROUNDS = { white: [245, 245, 245], grey: [165, 165, 165], black: [25, 25, 25] };
/** @type {Record<string, number>} */
export const SIZES = { small: 0.105, large: 0.19 };
export const SHAPES = ["circle", "square", "triangle", "star", "cross", "ring"];
/** @type {Record<string, number[]>} */
const PLACES = {
  "in the middle": [0.5, 0.5], "at the top": [0.5, 0.22], "at the bottom": [0.5, 0.78],
  "on the left": [0.22, 0.5], "on the right": [0.78, 0.5],
  "in the top left corner": [0.22, 0.22], "in the top right corner": [0.78, 0.22],
  "in the bottom left corner": [0.22, 0.78], "in the bottom right corner": [0.78, 0.78],
};
const RING = 0.42; // a ring's width, as a share of its radius
const APART = 0.12; // things that are farther apart than this have an order

/**
 * The corners of a shape of radius 1 around (0, 0); none for circle and ring.
 *
 * @param {string} shape
 * @returns {number[][]}
 */
export function corners(shape) {
  if (shape === "circle" || shape === "ring") return [];
  if (shape === "cross") {
    const a = 0.34, b = 0.95;
    return [[-a, -b], [a, -b], [a, -a], [b, -a], [b, a], [a, a], [a, b], [-a, b], [-a, a], [-b, a], [-b, -a], [-a, -a]];
  }
  /** @type {Record<string, [number[], number]>} */
  const stars = { square: [[1], 4], triangle: [[1.1], 3], star: [[1.15, 0.48], 10] };
  const [radii, count] = stars[shape];
  const first = shape === "square" ? -Math.PI / 4 : -Math.PI / 2;
  return Array.from({ length: count }, (_, i) => {
    const angle = first + (2 * Math.PI * i) / count, radius = radii[i % radii.length];
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
}

/**
 * Whether a point lies on a shape of radius `r` (in pixels) around (0, 0); Pillow's edges are half a pixel outside.
 *
 * @param {string} shape
 * @param {number[][]} outline
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
function covers(shape, outline, x, y, r) {
  const far = Math.hypot(x, y), edge = r + 0.5;
  if (shape === "circle") return far <= edge;
  if (shape === "ring") return far <= edge && far >= edge - Math.max(1, Math.round(RING * r));
  let inside = false;
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const [ax, ay] = outline[i], [bx, by] = outline[j];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

/**
 * The picture (SIDE, SIDE, 3) of a scene {background, things: [{shape, colour, size, x, y}]}, 0 to 255, row by row.
 *
 * @param {Captioning.Scene} scene
 */
export function picture({ background, things }) {
  const side = SIDE * FINE, fine = new Float32Array(side * side * 3), [r, g, b] = BACKGROUNDS[background];
  for (let at = 0; at < fine.length; at += 3) { fine[at] = r; fine[at + 1] = g; fine[at + 2] = b; }
  for (const { shape, colour, size, x, y } of things) {
    const radius = SIZES[size] * side;
    const cx = x * side;
    const cy = y * side;
    const grown = (radius + 0.5) / radius;
    const ink = COLOURS[colour];
    const outline = corners(shape).map(([dx, dy]) => [dx * radius * grown, dy * radius * grown]);
    /** @param {number} centre */
    const span = (centre) => [
      clamp(Math.floor(centre - 1.2 * radius - 1), 0, side),
      clamp(Math.ceil(centre + 1.2 * radius + 1), 0, side),
    ];
    const [left, right] = span(cx);
    const [top, bottom] = span(cy);
    for (let j = top; j < bottom; j++)
      for (let i = left; i < right; i++)
        if (covers(shape, outline, i - cx, j - cy, radius)) fine.set(ink, 3 * (j * side + i));
  }
  return averaged(fine, side);
}

/**
 * @param {Float32Array} fine
 * @param {number} side
 */
function averaged(fine, side) {
  const small = new Float32Array(SIDE * SIDE * 3);
  for (let j = 0; j < side; j++)
    for (let i = 0; i < side; i++) {
      const from = 3 * (j * side + i), to = 3 * (Math.floor(j / FINE) * SIDE + Math.floor(i / FINE));
      for (let c = 0; c < 3; c++) small[to + c] += fine[from + c] / (FINE * FINE);
    }
  return small.map(Math.round);
}

/** @type {(name: string, options: string[]) => string} */
const words = (name, options) => `(?<${name}>${options.join("|")})`;
/** @param {string} slot */
const thing = (slot) => {
  const parts = { size: Object.keys(SIZES), colour: Object.keys(COLOURS), shape: SHAPES };
  return `a ${Object.entries(parts).map(([name, options]) => words(`${slot}_${name}`, options)).join(" ")}`;
};
const place = words("place", Object.keys(PLACES));
const ground = words("background", Object.keys(BACKGROUNDS));
const [a, b] = [thing("a"), thing("b")];
/** @type {[string | null, string[]][]} */
const PATTERNS = [
  [null, [`${a} ${place} on ${ground}`, `there is ${a} ${place} on ${ground}`, `${a} ${place}`]],
  [
    "left",
    [
      `${a} to the left of ${b}`,
      `${a} left of ${b} on ${ground}`,
      `there is ${a} to the left of ${b}`,
      `${a} and ${b} to its right`,
    ],
  ],
  ["above", [`${a} above ${b}`, `${a} over ${b} on ${ground}`, `there is ${a} above ${b}`, `${a} and ${b} below it`]],
];
const READERS = PATTERNS.flatMap(([relation, patterns]) =>
  patterns.map((pattern) => ({ relation, reader: new RegExp(`^${pattern}$`) })),
);
/** @type {("size" | "colour" | "shape")[]} */
const SAID = ["size", "colour", "shape"];

/**
 * Whether a caption is "true", "false" or "malformed" (not a sentence of the grammar). Things may be anywhere here: of
 * two things both relations may hold, and a thing is at the nearest of the nine places.
 *
 * @param {string} caption
 * @param {Captioning.Scene} scene
 * @returns {"true" | "false" | "malformed"}
 */
export function judge(caption, { background, things }) {
  for (const { relation, reader } of READERS) {
    const said = reader.exec(caption)?.groups;
    if (!said) continue;
    /** @type {(slot: string, at: Captioning.Thing) => boolean} */
    const same = (slot, at) => SAID.every((name) => said[`${slot}_${name}`] === at[name]);
    const holds =
      relation === null
        ? things.length === 1 && same("a", things[0]) && [undefined, nearest(things[0])].includes(said.place)
        : things.length === 2 && pairs(things, relation).some(([first, other]) => same("a", first) && same("b", other));
    return holds && [undefined, background].includes(said.background) ? "true" : "false";
  }
  return "malformed";
}

/** @type {(things: Captioning.Thing[], relation: string) => Captioning.Thing[][]} */
const pairs = ([first, other], relation) => [[first, other], [other, first]].filter(([p, q]) =>
  relation === "left" ? q.x - p.x > APART : q.y - p.y > APART);

/** @param {Captioning.Thing} thing */
function nearest({ x, y }) {
  /** @param {number[]} place */
  const far = ([px, py]) => Math.hypot(px - x, py - y);
  return Object.keys(PLACES).reduce((best, name) => (far(PLACES[name]) < far(PLACES[best]) ? name : best));
}
