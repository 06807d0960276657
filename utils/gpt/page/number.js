// A number: one weight unfolded, from the query before and after its turn to the product, the score and the weight.
import { toWeight, unfolded } from "../../alive/js/unfolded.js";
import { position } from "./model.js";
import { sign } from "./tale.js";

/**
 * Opens below the heads. Calls `chosen(t)` when the slider chooses another position that is looked at.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {(t: number) => void} chosen
 */
export function number(page, parent, chosen) {
  const { say } = page;
  const line = unfolded(page, parent, {
    names: ["query", "query_turned", "key_turned", "product"],
    label: say("partner"),
    chosen,
  });

  /**
   * In a head, position `i` of `text` looks at position `t`.
   *
   * @param {Gpt.Model} model
   * @param {Gpt.Known} known
   * @param {string} text
   * @param {{ i: number, t: number, layer: number, head: number, mistake: string }} at
   */
  function show(model, known, text, { i, t, layer, head, mistake }) {
    const { raw, queries, keys, looks, scores } = known.layers[layer];
    const weight = looks[i][head][t];
    const name = say("head", { layer: layer + 1, head });
    const letters = { letter: sign(text[i]), i, read: sign(text[t]), t };
    line.show(say("unfold", { name, ...letters, weight: page.percent(weight) }), () => {
      const { size } = model;
      /** @param {Float32Array} row */
      const ofHead = (row) => row.subarray(head * size, (head + 1) * size);
      const query = ofHead(queries[i]);
      const key = ofHead(keys[t]);
      const product = query.map((q, c) => q * key[c]);
      const [p, r] = [i, t].map((index) => position(known, index, mistake));
      const sum = product.reduce((all, v) => all + v, 0);
      /** @type {(c: number, q: string, turned: string, k: string, qk: string) => string} */
      const componentText = (c, q, turned, k, qk) => say("component", { c, q, turned, k, qk });
      const score = page.number(scores[i][head][t], 2);
      const dot = say("dot", { p, r, distance: p - r, sum: page.number(sum, 2) });
      const scaled = mistake === "attention_no_scale" ? [] : [say("scaled", { size, score })];
      const steps = toWeight(page, {
        score: scores[i][head][t],
        scores: Array.from(scores[i][head]),
        weight,
        sum: "sum",
      });
      return {
        at: t,
        count: scores[i][head].length,
        name: say("place", { t, read: letters.read }),
        vectors: [ofHead(raw[i]), query, key, product],
        componentText,
        lines: [dot, ...scaled, ...steps],
      };
    });
  }
  return { element: line.element, show };
}
