// A number: one weight unfolded, from the query before and after its turn to the product, the score and the weight.
import { toWeight, unfolded } from "../../alive/js/unfolded.js";
import { position } from "./model.js";
import { sign } from "./tale.js";

/** Opens below the heads. `chosen(t)` is told which place is looked at. */
export function number(page, parent, model, chosen) {
  const { say } = page, one = unfolded(page, parent, { names: ["query", "query_turned", "key_turned", "product"], label: say("partner"), chosen });

  /** In a head, place `i` of `text` looks at place `t`. */
  function show(model, known, text, { i, t, layer, head, mistake }) {
    const { raw, queries, keys, looks, scores } = known.layers[layer], weight = looks[i][head][t];
    const name = say("head", { layer: layer + 1, head }), letters = { letter: sign(text[i]), i, read: sign(text[t]), t };
    one.show(say("unfold", { name, ...letters, weight: page.percent(weight) }), () => {
      const { size } = model, part = (row) => row.subarray(head * size, (head + 1) * size);
      const query = part(queries[i]), key = part(keys[t]), product = query.map((q, c) => q * key[c]);
      const [p, r] = [i, t].map((place) => position(known, place, mistake)), sum = product.reduce((all, v) => all + v, 0);
      const told = (c, q, turned, k, qk) => say("component", { c, q, turned, k, qk });
      const score = page.number(scores[i][head][t], 2), dot = say("dot", { p, r, distance: p - r, sum: page.number(sum, 2) });
      const scaled = mistake === "attention_no_scale" ? [] : [say("scaled", { size, score })];
      const steps = toWeight(page, { score: scores[i][head][t], scores: Array.from(scores[i][head]), weight, sum: "sum" });
      return { at: t, count: scores[i][head].length, name: say("place", { t, read: letters.read }), vectors: [part(raw[i]), query, key, product], told, lines: [dot, ...scaled, ...steps] };
    });
  }
  return { part: one.part, show };
}
