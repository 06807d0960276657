// Stages that every walk through a model has, from a score to what each part adds to the logits. Each function returns
// what its stage shows (Alive.Picture).
import { largest } from "./numbers.js";

const SOURCES = 8, VALUES = 5, CANDIDATES = 10; // shown at most

/**
 * Numbers minus their mean.
 *
 * @param {Alive.Row} row
 */
export function centred(row) {
  const mean = Array.from(row).reduce((sum, v) => sum + v, 0) / row.length;
  return Array.from(row, (v) => v - mean);
}

/**
 * The sum of vectors of `width` numbers.
 *
 * @param {{ vector: Float32Array }[]} parts
 * @param {number} width
 */
export function total(parts, width) {
  const sum = new Float32Array(width);
  for (const { vector } of parts) vector.forEach((v, c) => { sum[c] += v; });
  return sum;
}

/**
 * The scores of sources become weights; `choose(n)` chooses a source, of which `at` is looked at.
 *
 * @param {Alive.Page} page
 * @param {Alive.Sources & { scores: Alive.Row, at: number, choose: (n: number) => void }} of
 * @returns {Alive.Bar[]}
 */
export const weighed = ({ say, number, percent }, { scores, weights, at, name, choose }) =>
  largest(weights, SOURCES).map((n) => ({
    name: name(n),
    share: weights[n],
    text: say("to", { from: number(scores[n], 2), to: percent(weights[n]) }),
    choose: () => choose(n),
    on: n === at,
  }));

/**
 * Values, each times its weight, and their sum.
 *
 * @param {Alive.Page} page
 * @param {Alive.Sources & { values: Float32Array[] }} of
 * @returns {Alive.Picture}
 */
export function mixed({ say, percent }, { weights, values, name }) {
  const each = Array.from(weights, (weight, n) => ({ vector: values[n].map((v) => weight * v) }));
  const shown = largest(weights, VALUES), width = values[0].length;
  const rows = shown.map((n) => ({
    name: say("times", { weight: percent(weights[n]), name: name(n) }),
    values: each[n].vector,
  }));
  if (weights.length > VALUES)
    rows.push({ name: say("others"), values: total(each.filter((_, n) => !shown.includes(n)), width) });
  rows.push({ name: say("added_up"), values: total(each, width) });
  return { says: say("walk_values"), alike: true, vectors: rows };
}

/**
 * The logits of the likeliest candidates, minus the mean, and their probabilities `p`; `explain(n)` chooses the
 * candidate that the next stage explains.
 *
 * @param {Alive.Page} page
 * @param {{ name: Alive.Name, logits: Alive.Row, p: Alive.Row, explained: number, explain: (n: number) => void }} of
 * @returns {Alive.Bar[]}
 */
export function candidates({ say, number, percent }, { logits, p, explained, name, explain }) {
  const heights = centred(logits), most = Math.max(...heights.map(Math.abs));
  return largest(p, CANDIDATES).map((n) => ({
    name: name(n),
    share: heights[n] / most,
    text: say("to", { from: number(heights[n], 2), to: percent(p[n]) }),
    choose: () => explain(n),
    on: n === explained,
  }));
}

/**
 * What each part adds to the logit of candidate `explained`, called `next`; `held`: why the sum is exact. `head(n)`
 * says of part n whether it is the head of this walk, and chooses it; undefined for parts other than heads.
 *
 * @param {Alive.Page} page
 * @param {{
 *   names: string[], logits: Alive.Row[], explained: number, next: string, held: string,
 *   head: (n: number) => { on: boolean, choose: () => void } | undefined,
 * }} of
 * @returns {Alive.Picture}
 */
export function adds({ say, number }, { names, logits, explained, next, held, head }) {
  const each = logits.map((row) => centred(row)[explained]), most = Math.max(...each.map(Math.abs));
  const sum = number(each.reduce((all, v) => all + v, 0), 2);
  return {
    says: say("walk_adds", { next }),
    bars: names.map((name, n) => ({ name, share: each[n] / most, text: number(each[n], 2), ...head(n) })),
    lines: [say("adds_up", { sum, next }), held],
  };
}
