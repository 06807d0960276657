// The way through a language model, for one letter and one head: what each stage shows.
import { largest } from "../../alive/js/numbers.js";
import { toWeight } from "../../alive/js/strips.js";
import { position, normed, rootOf } from "./model.js";
import { added, feeds, toLogits, total } from "./path.js";
import { sign } from "./tale.js";
import { probabilities } from "./writer.js";

const PLACES = 8, VALUES = 5, LETTERS = 10; // shown at most

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
  const { say, number, percent } = page, { i, layer, head, mistake, alphabet } = way;
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
  /** @param {Alive.Row} row */
  const centred = (row) => {
    const mean = Array.from(row).reduce((sum, v) => sum + v, 0) / row.length;
    return Array.from(row, (v) => v - mean);
  };
  const logits = centred(known.logits[i]), p = probabilities(known.logits[i], way);
  const next = way.explained ?? largest(p, 1)[0];

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
      bars: largest(weights, PLACES).map((other) => ({
        name: place(other),
        share: weights[other],
        text: say("to", { from: number(row[other], 2), to: percent(weights[other]) }),
        choose: () => way.partner(other),
        on: other === t,
      })),
      lines: toWeight(page, { score: row[t], scores: row, weight: weights[t], sum: "sum" }),
    };
  }
  function mixed() {
    const shown = largest(weights, VALUES), all = new Float32Array(model.size), others = new Float32Array(model.size);
    weights.forEach((weight, other) => ofHead(values[other]).forEach((v, c) => {
      all[c] += weight * v;
      if (!shown.includes(other)) others[c] += weight * v;
    }));
    const rows = shown.map((other) => ({
      name: say("times", { weight: percent(weights[other]), name: place(other) }),
      values: ofHead(values[other]).map((v) => weights[other] * v),
    }));
    if (weights.length > VALUES) rows.push({ name: say("others"), values: others });
    return { says: say("walk_values"), alike: true, vectors: [...rows, { name: say("added_up"), values: all }] };
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
    const most = Math.max(...logits.map(Math.abs));
    return {
      says: say("walk_logits", { temperature: number(way.temperature, 2) }),
      bars: largest(p, LETTERS).map((other) => ({
        name: sign(alphabet[other]),
        share: logits[other] / most,
        text: say("to", { from: number(logits[other], 2), to: percent(p[other]) }),
        choose: () => way.explain(other),
        on: other === next,
      })),
    };
  }
  function adds() {
    const all = parts(), each = toLogits(model, all).map((row) => centred(row)[next]);
    const most = Math.max(...each.map(Math.abs)), root = rootOf(total(all, model.width), model.epsilon);
    return {
      says: say("walk_adds", { next: sign(alphabet[next]) }),
      bars: all.map((source, n) => ({
        name: nameOf(source),
        share: each[n] / most,
        text: number(each[n], 2),
        ...(source.head >= 0 && {
          choose: () => way.choose(source.layer, source.head),
          on: source.layer === layer && source.head === head,
        }),
      })),
      lines: [
        say("adds_up", { sum: number(each.reduce((sum, v) => sum + v, 0), 2), next: sign(alphabet[next]) }),
        say("adds_held", { root: number(root, 2) }),
      ],
    };
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
      { name: "values", picture: mixed },
      { name: "stream", picture: stream },
      { name: "logits", picture: output },
      { name: "adds", picture: adds },
      ...(model.blocks.length > 1 ? [{ name: "feeds", picture: fed }] : []),
    ],
  };
}
