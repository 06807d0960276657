// The way through a language model, for one letter and one head: what each stage shows.
import { largest } from "../../alive/js/numbers.js";
import { adds, candidates, mixed, total, weighed } from "../../alive/js/stages.js";
import { toWeight } from "../../alive/js/strips.js";
import { position, normed, rootOf } from "./model.js";
import { added, feeds, toLogits } from "./path.js";
import { sign } from "./tale.js";
import { probabilities } from "./writer.js";

/**
 * The walk of a letter `i` and a head, which looks from there at place `read`; a next letter is explained.
 *
 * @param {Alive.Page} page
 * @param {Gpt.Model} model
 * @param {Gpt.Step} step
 * @param {Gpt.Way} way
 * @returns {Alive.Walk}
 */
export function walkOf(page, model, { letters, known }, way) {
  const { say, number } = page, { i, layer, head, mistake, alphabet } = way;
  const { raw, queries, keys, values, looks, scores } = known.layers[layer], weights = looks[i][head];
  const t = Math.min(way.read ?? largest(weights, 1)[0], weights.length - 1);
  /** @param {number} index */
  const letter = (index) => sign(alphabet[letters[index]]);
  /** @param {number} index */
  const place = (index) => say("place", { t: index, read: letter(index) });
  /** @param {Float32Array} row */
  const ofHead = (row) => row.subarray(head * model.size, (head + 1) * model.size);
  const partner = { at: t, count: weights.length, name: place(t) }, names = { letter: letter(i), read: letter(t) };
  const parts = () => added(model, known, letters, i);
  /** @param {Gpt.Added} source */
  const nameOf = (source) => {
    if (source.layer < 0) return say("stage_embedding");
    return say(source.head < 0 ? "feed_forward" : "head", { layer: source.layer + 1, head: source.head });
  };
  const p = probabilities(known.logits[i], way), explained = way.explained ?? largest(p, 1)[0];

  function embedding() {
    const says = say("walk_embedding", { ...names, size: model.width });
    return { says, vectors: [{ name: letter(i), values: parts()[0].vector }] };
  }
  function qkv() {
    const before = total(parts().filter((source) => source.layer < layer), model.width);
    const copy = normed(before, model.blocks[layer].norm1, model.epsilon);
    return {
      says: say("walk_qkv", { layer: layer + 1, head, ...names }),
      looks: partner,
      vectors: [
        { name: say("copy"), values: copy },
        { name: say("query"), values: ofHead(raw[i]) },
        { name: say("query_turned"), values: ofHead(queries[i]) },
        { name: say("key_turned"), values: ofHead(keys[t]) },
        { name: say("value"), values: ofHead(values[t]) },
      ],
    };
  }
  function score() {
    const query = ofHead(queries[i]), key = ofHead(keys[t]), product = query.map((q, c) => q * key[c]);
    const [r, s] = [i, t].map((index) => position(known, index, mistake));
    const sum = number(product.reduce((all, v) => all + v, 0), 2), scaled = number(scores[i][head][t], 2);
    return {
      says: say("walk_score"),
      looks: partner,
      vectors: [
        { name: say("query_turned"), values: query },
        { name: say("key_turned"), values: key },
        { name: say("product"), values: product },
      ],
      lines: [
        say("dot", { p: r, r: s, distance: r - s, sum }),
        ...(mistake === "attention_no_scale" ? [] : [say("scaled", { size: model.size, score: scaled })]),
      ],
    };
  }
  function softmax() {
    const row = Array.from(scores[i][head]);
    return {
      says: say("walk_weights"),
      looks: partner,
      bars: weighed(page, { scores: row, weights, at: t, name: place, choose: way.partner }),
      lines: toWeight(page, { score: row[t], scores: row, weight: weights[t], sum: "sum" }),
    };
  }
  function stream() {
    const all = parts(), rows = [{ name: say("stage_embedding"), values: all[0].vector }];
    model.blocks.forEach((_, l) => {
      const heads = all.filter((source) => source.layer === l && source.head >= 0), named = { layer: l + 1 };
      const thought = all.filter((source) => source.layer === l && source.head < 0);
      rows.push({ name: say("attention_of", named), values: total(heads, model.width) });
      rows.push({ name: say("feed_forward", named), values: total(thought, model.width) });
    });
    rows.push({ name: say("added_up"), values: total(all, model.width) });
    return { says: say("walk_stream", { ...names, size: model.width }), alike: true, vectors: rows };
  }
  function output() {
    return {
      says: say("walk_logits", { temperature: number(way.temperature, 2) }),
      bars: candidates(page, {
        logits: known.logits[i], p, explained, name: (n) => sign(alphabet[n]), explain: way.explain,
      }),
    };
  }
  function contributions() {
    const all = parts(), root = number(rootOf(total(all, model.width), model.epsilon), 2);
    return adds(page, {
      names: all.map(nameOf),
      logits: toLogits(model, all),
      explained,
      next: sign(alphabet[explained]),
      held: say("adds_held", { root }),
      head: (n) => (all[n].head < 0 ? undefined : {
        choose: () => way.choose(all[n].layer, all[n].head),
        on: all[n].layer === layer && all[n].head === head,
      }),
    });
  }
  function fed() {
    const second = feeds(model, known, letters, i, mistake), parts = added(model, known, letters, i);
    const first = parts.filter((source) => source.layer < 1);
    const rows = first.map((_, n) => second.map(({ leads }) => leads[n]));
    const sums = second.map(({ leads }) => leads.reduce((sum, lead) => sum + lead, 0));
    return {
      says: say("walk_feeds", names),
      cells: {
        columns: second.map((own, h) => `${say("head", { layer: 2, head: h })} → ${place(own.t)}`),
        rows: [...first.map(nameOf), say("added_up")],
        values: [...rows, sums],
      },
    };
  }
  return {
    title: say("walk_of", { letter: letter(i), i }),
    heads: model.scores.flatMap((row, l) => row.map((_, h) => say("head", { layer: l + 1, head: h }))),
    head: layer * model.heads + head,
    stages: [
      { name: "embedding", picture: embedding },
      { name: "qkv", picture: qkv },
      { name: "score", picture: score },
      { name: "weights", picture: softmax },
      { name: "values", picture: () => mixed(page, { weights, values: values.map(ofHead), name: place }) },
      { name: "stream", picture: stream },
      { name: "logits", picture: output },
      { name: "adds", picture: contributions },
      ...(model.blocks.length > 1 ? [{ name: "feeds", picture: fed }] : []),
    ],
  };
}
