// The lesson's translator: a bidirectional GRU reads, a decoder with additive attention writes, word by word.
//
// score(s, h_t) = v · tanh(W_s s + W_h h_t), weights = softmax over words t, c = Σ_t weight_t h_t,
// s' = GRU(s, [e(word); c]), logits = output([s'; c; e(word)]).
import { cutter, linear, numbers, softmax } from "../../alive/js/numbers.js";

/**
 * The model of the message, its weights cut into the layers' arrays.
 *
 * @param {Seq2seq.Spec} spec
 * @returns {Seq2seq.Model}
 */
export function load(spec) {
  const { take, end } = cutter(numbers(spec.weights, "f2"));
  const { read: F, written: V, embed: E, hidden: G, state: D, score: R, narrow: M } = spec, half = D / 2;
  /** @type {(from: number, out: number, biased?: boolean) => Alive.Dense} */
  const dense = (from, out, biased = true) => ({ out, weight: take(out * from), bias: biased ? take(out) : null });
  /** @type {(from: number, size: number) => Seq2seq.Gru} */
  const gru = (from, size) => {
    const weights = [take(3 * size * from), take(3 * size * size)];
    const [a, b] = [take(3 * size), take(3 * size)];
    return {
      size,
      input: { out: 3 * size, weight: weights[0], bias: a },
      past: { out: 3 * size, weight: weights[1], bias: b },
    };
  };
  const model = {
    ...spec,
    reading: take(F * E),
    forward: gru(E, half),
    backward: gru(E, half),
    bridge: dense(D, G),
    writing: take(V * E),
    query: dense(G, R, false),
    key: dense(D, R, false),
    v: take(R),
    cell: gru(E + D, G),
    outputs: [dense(G + D + E, M), dense(M, V)],
  };
  end();
  return model;
}

/** @type {(table: Float32Array, n: number, width: number) => Float32Array} */
const row = (table, n, width) => table.subarray(n * width, (n + 1) * width);
/** @param {number} v */
const sigmoid = (v) => 1 / (1 + Math.exp(-v));

/** @param {...Alive.Row} parts */
function joined(...parts) {
  const all = new Float32Array(parts.reduce((sum, array) => sum + array.length, 0));
  parts.reduce((at, array) => { all.set(array, at); return at + array.length; }, 0);
  return all;
}

/**
 * One step of a GRU, with the gates in torch's order: reset, update, new.
 *
 * @param {Float32Array} x
 * @param {Float32Array} h
 * @param {Seq2seq.Gru} gru
 */
function step(x, h, { size, input, past }) {
  const a = linear(x, input), b = linear(h, past);
  return h.map((before, i) => {
    const reset = sigmoid(a[i] + b[i]), update = sigmoid(a[size + i] + b[size + i]);
    const fresh = Math.tanh(a[2 * size + i] + reset * b[2 * size + i]);
    return (1 - update) * fresh + update * before;
  });
}

/**
 * Reads a sentence (numbers of words, <EOS> last): the states of its words, their keys, and the decoder's first state.
 *
 * @param {Seq2seq.Model} model
 * @param {number[]} source
 * @returns {Seq2seq.Memory}
 */
export function read(model, source) {
  const half = model.state / 2;
  /** @type {(order: number[], gru: Seq2seq.Gru) => Float32Array[]} */
  const run = (order, gru) => {
    /** @type {Float32Array[]} */
    const states = [];
    order.reduce(
      (h, t) => (states[t] = step(row(model.reading, source[t], model.embed), h, gru)),
      new Float32Array(half),
    );
    return states;
  };
  const positions = source.map((_, t) => t);
  const forward = run(positions, model.forward);
  const backward = run([...positions].reverse(), model.backward);
  const states = positions.map((t) => joined(forward[t], backward[t]));
  const hidden = linear(joined(forward[forward.length - 1], backward[0]), model.bridge).map(Math.tanh);
  return { states, keys: states.map((h) => linear(h, model.key)), hidden };
}

/**
 * The weights of the words for a decoder's state, by the formula or by a mistake of the lesson's catalogue.
 *
 * @param {Seq2seq.Model} model
 * @param {Seq2seq.Memory} memory
 * @param {Float32Array} hidden
 * @param {Seq2seq.Options} options
 * @returns {Seq2seq.Looks}
 */
function weigh(model, { keys }, hidden, { mistake, temperature }) {
  const T = keys.length;
  /** @param {number} t */
  const only = (t) => Float64Array.from({ length: T }, (_, n) => (n === t ? 1 : 0));
  if (mistake === "attend_plain_mean") return { scores: null, looks: new Float64Array(T).fill(1 / T) };
  if (mistake === "attend_last_word") return { scores: null, looks: only(T - 1) };
  const query = linear(hidden, model.query);
  /** @type {(x: number) => number} */
  const bend = mistake === "additive_no_tanh" ? (x) => x : Math.tanh;
  const scores = Float64Array.from(keys, (key) => key.reduce((sum, k, r) => sum + model.v[r] * bend(query[r] + k), 0));
  if (mistake === "attend_hard") return { scores, looks: only(scores.indexOf(Math.max(...scores))), query };
  return { scores, looks: softmax(scores.slice(), T, temperature), query };
}

/**
 * Writes one word after `word`: {logits, hidden, looks, scores, query}.
 *
 * @param {Seq2seq.Model} model
 * @param {Seq2seq.Memory} memory
 * @param {number} word
 * @param {Float32Array} hidden
 * @param {Seq2seq.Options} options
 * @returns {Seq2seq.Step}
 */
export function next(model, memory, word, hidden, options) {
  const weighed = weigh(model, memory, hidden, options), { looks } = weighed;
  const embedded = row(model.writing, word, model.embed);
  const context = memory.states[0].map((_, i) => memory.states.reduce((sum, h, t) => sum + looks[t] * h[i], 0));
  const before = options.mistake === "decoder_state_forgotten" ? new Float32Array(hidden.length) : hidden;
  const after = step(joined(embedded, context), before, model.cell);
  const [narrow, wide] = model.outputs, logits = linear(linear(joined(after, context, embedded), narrow), wide);
  return { ...weighed, logits, hidden: after };
}

/**
 * The greedy translation, with the words that were forced: {words, steps, keys}, a step for each word written.
 *
 * @param {Seq2seq.Model} model
 * @param {number[]} source
 * @param {Seq2seq.Forced} options
 * @returns {Seq2seq.Written}
 */
export function greedy(model, source, { forced = [], mistake = "", temperature = 1 } = {}) {
  const memory = read(model, source), words = [], steps = [];
  let { hidden } = memory, word = model.sos;
  while (words.length < model.longest) {
    const fed = mistake === "greedy_same_word_fed" ? model.sos : word;
    const written = next(model, memory, fed, hidden, { mistake, temperature });
    hidden = written.hidden;
    word = forced[words.length] ?? written.logits.indexOf(Math.max(...written.logits));
    words.push(word);
    steps.push(written);
    if (word === model.eos) break;
  }
  return { words, steps, keys: memory.keys };
}

/**
 * Log-probabilities of logits.
 *
 * @param {Float32Array} logits
 */
export function logs(logits) {
  const most = Math.max(...logits), all = Math.log(logits.reduce((sum, s) => sum + Math.exp(s - most), 0)) + most;
  return logits.map((s) => s - all);
}

/**
 * The translation with the largest mean log-probability per word among `width` beginnings: {words, mean}.
 *
 * @param {Seq2seq.Model} model
 * @param {number[]} source
 * @param {Seq2seq.Forced} options
 */
export function beam(model, source, { width = 4, mistake = "", temperature = 1 } = {}) {
  const memory = read(model, source);
  /** @param {Seq2seq.Beginning} beginning */
  const mean = ({ total, words }) => total / Math.max(1, words.length);
  /** @type {Seq2seq.Beginning[]} */
  let beginnings = [{ words: [], total: 0, hidden: memory.hidden }];
  while (beginnings.some(({ words }) => words.length < model.longest && words.at(-1) !== model.eos)) {
    beginnings = beginnings
      .flatMap((beginning) => {
        if (beginning.words.at(-1) === model.eos || beginning.words.length >= model.longest) return [beginning];
        const { logits, hidden } = next(model, memory, beginning.words.at(-1) ?? model.sos, beginning.hidden, {
          mistake,
          temperature,
        });
        const all = logs(logits);
        const best = Array.from(all, (_, w) => w)
          .sort((a, b) => all[b] - all[a])
          .slice(0, width);
        return best.map((word) => ({ words: [...beginning.words, word], total: beginning.total + all[word], hidden }));
      })
      .sort((a, b) => mean(b) - mean(a))
      .slice(0, width);
  }
  return { words: beginnings[0].words, mean: mean(beginnings[0]) };
}
