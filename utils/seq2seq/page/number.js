// A number: one weight unfolded, from the components of v · tanh(W s + W h) to the score, its exponential and the
// weight.
import { toWeight } from "../../alive/js/strips.js";
import { unfolded } from "../../alive/js/unfolded.js";

/**
 * Opens below the map. `chosen(t)` is told which French word is looked at.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {Seq2seq.Model} model
 * @param {(t: number) => void} chosen
 */
export function number(page, parent, model, chosen) {
  const { say } = page;
  const line = unfolded(page, parent, { names: ["query", "key", "bent", "product"], label: say("partner"), chosen });

  /**
   * `step` of the written word looks at word `t` of `read`.
   *
   * @param {Seq2seq.Step} step
   * @param {Float32Array[]} keys
   * @param {{ t: number, read: string[], word: string, mistake: string, temperature: number }} at
   */
  function show({ looks, scores, query }, keys, { t, read, word, mistake, temperature }) {
    const weight = looks[t];
    line.show(say("unfold", { word, read: read[t], weight: page.percent(weight) }), () => {
      const partner = { at: t, count: read.length, name: read[t] };
      if (!scores) return { ...partner, vectors: null, lines: [say("no_score")] };
      const plain = mistake === "additive_no_tanh";
      /** @type {(x: number) => number} */
      const bend = plain ? (x) => x : Math.tanh;
      const key = keys[t];
      const bent = key.map((k, c) => bend(query[c] + k));
      const vectors = [query, key, bent, bent.map((b, c) => b * model.v[c])];
      /** @type {(c: number, q: string, k: string, b: string, product: string) => string} */
      const componentText = (c, q, k, b, product) =>
        say(plain ? "component_no_tanh" : "component", { c, q, k, b, product, v: page.number(model.v[c - 1], 2) });
      const first = say("score", { read: read[t], score: page.number(scores[t], 2) });
      const last =
        mistake === "attend_hard"
          ? [say("largest", { weight: page.percent(weight) })]
          : toWeight(page, { score: scores[t], scores, weight, sum: "sum", temperature });
      return { ...partner, vectors, componentText, lines: [first, ...last] };
    });
  }
  return { element: line.element, show };
}
