// A number: one weight of one head, from the products of query and key to the score, its exponential and the weight.
import { toWeight, unfolded } from "../../alive/js/unfolded.js";

/**
 * Opens below the maps. Calls `chosen(partner)`, {kind, n}, when the slider chooses another cell or word to look at.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {Captioning.Model} model
 * @param {{ cells: number, chosen: (partner: Captioning.Partner) => void }} options
 */
export function number(page, parent, model, { cells, chosen }) {
  const { say } = page;
  /** @type {(n: number) => Captioning.Partner} */
  const partner = (n) => (n < cells ? { kind: "cross", n } : { kind: "self", n: n - cells });
  const line = unfolded(page, parent, {
    names: ["query", "key", "product"],
    label: say("partner"),
    chosen: (n) => chosen(partner(n)),
  });

  /**
   * `at` {word, layer, head, kind, n}: a head below 0 is the mean; `name` of the partner, `called` of the word.
   *
   * @param {Captioning.Written} written
   * @param {Captioning.At} at
   * @param {{ name: string, called: string, mistake: string }} words
   */
  function show(written, at, { name, called, mistake }) {
    const { word, layer, head, kind, n } = at, { heads, weight } = weightAt(written, at);
    const shown = { word: called, layer: layer + 1, head: head + 1, name, weight: page.percent(weight) };
    line.show(say(head < 0 ? "unfold_mean" : "unfold_head", shown), () => {
      const count = cells + written.rows[word].self[layer][0].length;
      const partners = { at: kind === "cross" ? n   : cells + n, count, name };
      if (head < 0) return { ...partners, vectors: null, lines: meanOf(page, heads, weight) };
      const d = model.width / heads.length;
      /** @type {(c: number, q: string, k: string, product: string) => string} */
      const componentText = (c, q, k, product) => say("component", { c, q, k, product });
      const [q, k] = [queryOf(written, at, d), keyOf(written, at, d)], vectors = [q, k, q.map((v, c) => v * k[c])];
      return { ...partners, vectors, componentText, lines: stepsOf(page, written, at, { d, weight, mistake }) };
    });
  }
  return { element: line.element, show };
}

/**
 * The weights of all heads for a partner, and that of the chosen one, or their mean.
 *
 * @param {Captioning.Written} written
 * @param {Captioning.At} at
 */
function weightAt({ rows }, { word, layer, head, kind, n }) {
  const heads = rows[word][kind][layer].map((weights) => weights[n]);
  return { heads, weight: head < 0 ? heads.reduce((sum, w) => sum + w, 0) / heads.length : heads[head] };
}

/**
 * @param {Alive.Page} page
 * @param {number[]} heads
 * @param {number} mean
 */
function meanOf({ say, percent }, heads, mean) {
  const each = heads.map((weight, h) => say("of_head", { head: h + 1, weight: percent(weight) }));
  return [...each, say("mean_of", { count: heads.length, weight: percent(mean) })];
}

/** @type {(written: Captioning.Written, at: Captioning.At, d: number) => Float32Array} */
const queryOf = ({ rows }, { word, layer, head, kind }, d) =>
  rows[word].queries[kind][layer].subarray(head * d, (head + 1) * d);
/** @type {(written: Captioning.Written, at: Captioning.At, d: number) => Float32Array} */
const keyOf = ({ keys }, { layer, head, kind, n }, d) => keys[kind][layer][n].subarray(head * d, (head + 1) * d);
/** @type {(q: Float32Array, k: Float32Array) => number} */
const dot = (q, k) => q.reduce((sum, v, c) => sum + v * k[c], 0);

/**
 * @param {Alive.Page} page
 * @param {Captioning.Written} written
 * @param {Captioning.At} at
 * @param {{ d: number, weight: number, mistake: string }} options
 */
function stepsOf(page, written, at, { d, weight, mistake }) {
  const { say } = page;
  const scale = mistake === "scale_missing" ? 1 : 1 / Math.sqrt(d);
  const down = mistake === "softmax_over_queries";
  /** @param {Captioning.At} other */
  const sees = (other) => at.kind === "cross" || mistake === "no_causal_mask" || other.n <= other.word;
  /** @param {Captioning.At} other */
  const score = (other) =>
    sees(other) ? dot(queryOf(written, other, d), keyOf(written, other, d)) * scale : -Infinity;
  const scores = down
    ? written.rows.map((_, word) => score({ ...at, word }))
    : written.rows[at.word][at.kind][at.layer][at.head].map((_, n) => score({ ...at, n }));
  const scaled = mistake === "scale_missing" ? [] : [say("scaled", { d, score: page.number(score(at), 2) })];
  return [
    say("dot", { sum: page.number(score(at) / scale, 2) }), ...scaled,
    ...toWeight(page, { score: score(at), scores, weight, sum: down ? "sum_words" : `sum_${at.kind}` }),
  ];
}
