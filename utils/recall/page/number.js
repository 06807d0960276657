// A number: how much of one told value comes back, from the products of query and key on.
import { toWeight } from "../../alive/js/strips.js";
import { unfolded } from "../../alive/js/unfolded.js";
import { dot, keepsAll, scaleOf, scores, shares, vector } from "./memory.js";

/**
 * Opens below the memories. Calls `chosen(t)` when the slider chooses another pair.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {(t: number) => void} chosen
 */
export function number(page, parent, chosen) {
  const { say } = page;
  const line = unfolded(page, parent, { names: ["query", "key", "product"], label: say("pair"), chosen });

  /**
   * `names(pair)` is a told pair in words.
   *
   * @param {Recall.Memory} memory
   * @param {Recall.Pair[]} told
   * @param {{ guest: number, t: number, options: Recall.Options, names: (pair: Recall.Pair) => string }} at
   */
  function show(memory, told, { guest, t, options, names }) {
    const all = shares(memory, told, guest, options), share = all[t], pair = names(told[t]), { digits } = scaleOf(all);
    line.show(say("unfold", { memory: say(memory.kind), pair, share: page.number(share, digits) }), () => {
      const { keys, queries, size } = memory;
      const query = vector(queries, guest, size), key = vector(keys, told[t].guest, size), sum = dot(query, key);
      /** @type {(c: number, q: string, k: string, product: string) => string} */
      const componentText = (c, q, k, product) => say("component", { c, q, k, product });
      const dotted = say("dot", { sum: page.number(sum, digits) });
      return {
        at: t,
        count: told.length,
        name: pair,
        vectors: [query, key, query.map((q, c) => q * key[c])],
        componentText,
        lines: [dotted, ...afterwards(page, memory, told, { guest, t, options }, sum, share, digits)],
      };
    });
  }
  return { element: line.element, show };
}

/**
 * The steps from the sum of the products to what comes back, as the memory or a mistake goes.
 *
 * @param {Alive.Page} page
 * @param {Recall.Memory} memory
 * @param {Recall.Pair[]} told
 * @param {{ guest: number, t: number, options: Recall.Options }} at
 * @param {number} sum
 * @param {number} share
 * @param {number} digits
 */
function afterwards(page, memory, told, { guest, t, options }, sum, share, digits) {
  const { say, number } = page;
  if (keepsAll(memory, options)) {
    const all = Array.from(scores(memory, told, guest)), score = all[t];
    const scaled = memory.kind === "softmax" ? [say("scaled", { size: memory.size, score: number(score, 2) })] : [];
    return [...scaled, ...toWeight(page, { score, scores: all, weight: share, sum: "row_sum" })];
  }
  const back = { share: number(share, digits) };
  if (Math.abs(share - sum) < 0.5 * 10 ** -digits) return [say("comes_back", back)];
  if (memory.kind === "delta" && !options.mistake) return [say("corrected", back)];
  return [say("by_mistake", back)];
}
