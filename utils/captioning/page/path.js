// What each part of the model adds to the stream of one word, and so to the scores of the next word.
//
// Each norm, x ← (x − mean) · scale · weight + bias, is linear in x while its scale is held. So what a part adds is
// followed through all later norms; the biases are a part of their own; and together they are the scores, exactly.
import { linear } from "../../alive/js/numbers.js";
import { total } from "../../alive/js/stages.js";
import { meanOf, scaleOf } from "./writer.js";

/**
 * What each part has added to the last stream of a position, in the model's order; the biases are the first.
 *
 * @param {Captioning.Model} model
 * @param {Captioning.Row} row
 * @param {{ word: number, position: number, mistake: string }} read
 * @returns {Captioning.Added[]}
 */
export function added(model, row, { word, position, mistake }) {
  const { width: E, embedding, positions } = model;
  /** @type {(kind: string, vector: Float32Array<ArrayBuffer>, layer?: number, head?: number) => Captioning.Added} */
  const source = (kind, vector, layer = -1, head = -1) => ({ kind, vector, layer, head });
  let parts = [source("biases", new Float32Array(E)), source("word", embedding.slice(word * E, (word + 1) * E))];
  if (mistake !== "no_positions")
    parts.push(source("position", positions.slice(position * E, (position + 1) * E)));
  /**
   * @param {Float32Array} biases
   * @param {Captioning.Norm} norm
   */
  const through = (biases, { weight, bias }) => {
    parts[0].vector = parts[0].vector.map((v, c) => v + biases[c]);
    const scale = scaleOf(total(parts, E));
    parts = parts.map((old) => {
      const mean = meanOf(old.vector);
      return { ...old, vector: old.vector.map((v, c) => (v - mean) * scale * weight[c]) };
    });
    parts[0].vector = parts[0].vector.map((v, c) => v + bias[c]);
  };
  const none = new Float32Array(E);
  row.thoughts.forEach((thought, l) => {
    const layer = model.layers[l];
    for (const [n, kind] of /** @type {Captioning.Kind[]} */ (["self", "cross"]).entries()) {
      const { proj } = layer[kind], heads = row[kind][l].length, d = E / heads;
      for (let head = 0; head < heads; head++) {
        const own = Float32Array.from(row.sums[kind][l], (v, c) => (Math.floor(c / d) === head ? v : 0));
        parts.push(source(kind, linear(own, { ...proj, bias: null }), l, head));
      }
      through(proj.bias ?? none, layer.norms[n]);
    }
    parts.push(source("thought", thought, l));
    through(none, layer.norms[2]);
  });
  return parts;
}

/**
 * What each part adds to the scores of the next word; together they are the scores.
 *
 * @param {Captioning.Model} model
 * @param {Captioning.Added[]} parts
 */
export function toScores({ output }, parts) {
  return parts.map(({ kind, vector }) => linear(vector, kind === "biases" ? output : { ...output, bias: null }));
}
