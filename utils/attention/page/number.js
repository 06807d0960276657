// A number: one weight unfolded, from the products of query and key to the score, its exponential and the weight.
import { toWeight } from "../../alive/js/strips.js";
import { unfolded } from "../../alive/js/unfolded.js";
import { LENGTH } from "./sequences.js";

/**
 * Opens below the matrix. `state` has the pair: `position` looks at `looked`; `lookedAt(j)` chooses another.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {Attention.State} state
 * @param {(j: number) => void} lookedAt
 */
export function number(page, parent, state, lookedAt) {
  const { say } = page;
  const line = unfolded(page, parent, { names: ["query", "key", "product"], label: say("column"), chosen: lookedAt });
  line.element.addEventListener("toggle", () => lookedAt(state.looked));

  /**
   * @param {Pick<Attention.Result, "inside">} result
   * @param {string} mistake
   * @param {number} temperature
   */
  function light({ inside }, mistake, temperature) {
    line.element.hidden = !inside;
    if (!inside) return;
    const { position: i, looked: j } = state, weight = inside.weights[i * LENGTH + j];
    line.show(say("unfold", { i, j, weight: page.percent(weight) }), () => {
      const vectors = products(inside, i, j), sum = vectors[2].reduce((all, v) => all + v, 0);
      /** @type {(c: number, q: string, k: string, product: string) => string} */
      const componentText = (c, q, k, product) => say("component", { c, q, k, product });
      const dot = say("dot", { i, j, sum: page.number(sum, 2) });
      const lines = [dot, ...afterwards(page, inside, i, j, weight, mistake, temperature)];
      return { vectors, componentText, at: j, count: LENGTH, name: say("position", { p: j }), lines };
    });
  }
  return { element: line.element, light };
}

/**
 * The steps from the sum of the products to the weight, as the formula or a mistake goes.
 *
 * @param {Alive.Page} page
 * @param {Attention.Inside} inside
 * @param {number} i
 * @param {number} j
 * @param {number} weight
 * @param {string} mistake
 * @param {number} temperature
 */
function afterwards(page, { scores, weights }, i, j, weight, mistake, temperature) {
  const { say } = page, score = scores[i * LENGTH + j], down = mistake === "softmax_over_queries";
  const scaled = mistake === "scaled_by_key_dim" ? [say("scaled", { score: page.number(score, 2) })] : [];
  if (mistake === "softmax_missing") return [say("raw", { weight: page.number(weights[i * LENGTH + j], 2) })];
  const line = Array.from({ length: LENGTH }, (_, t) => (down ? scores[t * LENGTH + j] : scores[i * LENGTH + t]));
  return [
    ...scaled,
    ...toWeight(page, { score, scores: line, weight, sum: down ? "column_sum" : "row_sum", temperature }),
  ];
}

/**
 * The components of q_i and k_j, and their products, whose sum is the score.
 *
 * @param {Attention.Inside} inside
 * @param {number} i
 * @param {number} j
 */
function products({ query, key, size }, i, j) {
  const q = new Float32Array(size), k = new Float32Array(size);
  for (let c = 0; c < size; c++) {
    q[c] = query[c * LENGTH + i];
    k[c] = key[c * LENGTH + j];
  }
  return [q, k, q.map((v, c) => v * k[c])];
}
