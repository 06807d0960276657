// The way through the captioning model to one word of the caption, through one head: what each stage shows.
import { softmax } from "../../alive/js/numbers.js";
import { adds, candidates, mixed, total, weighed } from "../../alive/js/stages.js";
import { toWeight } from "../../alive/js/strips.js";
import { added, toScores } from "./path.js";

/** @type {Captioning.Kind[]} */
const KINDS = ["self", "cross"];

/**
 * The heads that a walk may lead through, in the order of the model.
 *
 * @param {Captioning.Row} row
 */
export const headsOf = (row) => row.self.flatMap((_, layer) => KINDS.flatMap((kind) =>
  row[kind][layer].map((_, head) => ({ layer, kind, head }))));

/**
 * The walk to a word, through a head that looks at source number `n`; the score of a next word is explained.
 *
 * @param {Alive.Page} page
 * @param {Captioning.Model} model
 * @param {Captioning.Written} written
 * @param {Captioning.Way} way
 * @returns {Alive.Walk}
 */
export function walkOf(page, model, written, way) {
  const { say, number } = page, { word: at, layer, kind, head, n, mistake, vocabulary } = way;
  const row = written.rows[at], weights = row[kind][layer][head], E = model.width, d = E / row[kind][layer].length;
  const read = at ? written.words[at - 1] : model.start, query = ofHead(row.queries[kind][layer]);
  const keys = written.keys[kind][layer].map(ofHead), values = written.values[kind][layer].map(ofHead);
  const scale = mistake === "scale_missing" ? 1 : 1 / Math.sqrt(d);
  const scores = weights.map((_, other) => dot(query, keys[other]) * scale);
  const nameOfSource = (/** @type {number} */ other) => way.name(kind, other);
  const partner = { at: n, count: weights.length, name: nameOfSource(n) };
  const explained = way.explained ?? written.words[at];
  const names = { read: vocabulary[read], word: vocabulary[written.words[at]], size: E, layer: layer + 1 };
  const heads = headsOf(row), parts = () => added(model, row, { word: read, position: at, mistake });

  /** @param {Float32Array} vector */
  function ofHead(vector) { return vector.subarray(head * d, (head + 1) * d); }
  /** @param {{ kind: string, layer: number, head: number }} source */
  function nameOf({ kind: of, layer: l, head: h }) { return say(`adds_${of}`, { layer: l + 1, head: h + 1 }); }

  function embedding() {
    const vectors = [model.embedding.slice(read * E, (read + 1) * E), model.positions.slice(at * E, (at + 1) * E)];
    const rows = vectors.map((vector, m) => ({ name: say(m ? "adds_position" : "adds_word"), values: vector }));
    const sum = { name: say("added_up"), values: row.streams.self[0] };
    return {
      says: say("walk_embedding", { ...names, position: at }),
      alike: true,
      vectors: mistake === "no_positions" ? rows.slice(0, 1) : [...rows, sum],
    };
  }
  function qkv() {
    return {
      says: say(`walk_qkv_${kind}`, { ...names, head: head + 1, place: partner.name }),
      looks: partner,
      vectors: [
        { name: say("stage_stream"), values: row.streams[kind][layer] },
        { name: say("query"), values: query },
        { name: say("key"), values: keys[n] },
        { name: say("value"), values: values[n] },
      ],
    };
  }
  function score() {
    const product = query.map((q, c) => q * keys[n][c]);
    return {
      says: say("walk_score"),
      looks: partner,
      vectors: [
        { name: say("query"), values: query },
        { name: say("key"), values: keys[n] },
        { name: say("product"), values: product },
      ],
      lines: [
        say("dot", { sum: number(scores[n] / scale, 2) }),
        ...(mistake === "scale_missing" ? [] : [say("scaled", { d, score: number(scores[n], 2) })]),
      ],
    };
  }
  function toWeights() {
    const down = mistake === "softmax_over_queries"; // then the weights of each source add up over the words
    const others = down ? written.rows.filter((_, m) => kind === "cross" || m >= n) : [];
    const column = others.map(({ queries }) => dot(ofHead(queries[kind][layer]), keys[n]) * scale);
    return {
      says: say(down ? "walk_weights_down" : "walk_weights"),
      looks: partner,
      bars: weighed(page, { scores, weights, at: n, name: nameOfSource, choose: way.partner }),
      lines: toWeight(page, {
        score: scores[n], scores: down ? column : scores, weight: weights[n], sum: down ? "sum_words" : `sum_${kind}`,
      }),
    };
  }
  function stream() {
    const all = parts(), groups = [...new Set(all.map(({ kind: of, layer: l }) => `${of} ${l}`))];
    const rows = groups.map((group) => {
      const those = all.filter(({ kind: of, layer: l }) => `${of} ${l}` === group);
      const [{ kind: of, layer: l, head: h }] = those;
      return { name: h < 0 ? nameOf(those[0]) : say(`stream_${of}`, { layer: l + 1 }), values: total(those, E) };
    });
    rows.push({ name: say("added_up"), values: total(all, E) });
    return { says: say("walk_stream", names), alike: true, vectors: rows };
  }
  function output() {
    const name = (/** @type {number} */ other) => vocabulary[other];
    const logits = row.scores, p = softmax(Float64Array.from(logits), logits.length);
    return { says: say("walk_logits"), bars: candidates(page, { logits, p, explained, name, explain: way.explain }) };
  }
  function contributions() {
    const all = parts();
    return adds(page, {
      names: all.map(nameOf),
      logits: toScores(model, all),
      explained,
      next: vocabulary[explained],
      held: say("adds_held"),
      head: (m) => (all[m].head < 0 ? undefined : {
        choose: () => way.choose(heads[heads.findIndex(is(all[m]))]),
        on: is({ kind, layer, head })(all[m]),
      }),
    });
  }
  return {
    title: say("walk_of", { word: vocabulary[written.words[at]], n: at + 1 }),
    heads: heads.map(nameOf),
    head: heads.findIndex(is({ kind, layer, head })),
    stages: [
      { name: "embedding", picture: embedding },
      { name: "qkv", picture: qkv },
      { name: "score", picture: score },
      { name: "weights", picture: toWeights },
      { name: "values", picture: () => mixed(page, { weights, values, name: nameOfSource }) },
      { name: "stream", picture: stream },
      { name: "logits", picture: output },
      { name: "adds", picture: contributions },
    ],
  };
}

/** @typedef {{ kind: string, layer: number, head: number }} Named */
/** @type {(a: Named) => (b: Named) => boolean} */
const is = (a) => (b) => a.kind === b.kind && a.layer === b.layer && a.head === b.head;
/** @type {(q: Float32Array, k: Float32Array) => number} */
const dot = (q, k) => q.reduce((sum, v, c) => sum + v * k[c], 0);
