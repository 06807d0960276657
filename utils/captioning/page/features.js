// The scenes' small network: a picture becomes 4 x 4 cells, each with 64 numbers and the cell's row and column.
import { cutter, linear, numbers } from "../../alive/js/numbers.js";
import { SIDE } from "./scene.js";

export const CELLS = 4;

/**
 * The network's convolutions {in, out, kernel}, all of stride 2, with their weights.
 *
 * @param {{ layers: Captioning.Eye[], weights: string }} eyes
 * @returns {Captioning.LoadedEye[]}
 */
export function loadEyes({ layers, weights }) {
  const { take, end } = cutter(numbers(weights, "blocks"));
  const loaded = layers.map((layer) => ({
    ...layer, weight: take(layer.out * layer.in * layer.kernel ** 2), bias: take(layer.out),
  }));
  end();
  return loaded;
}

/**
 * x (in, side, side) -> ReLU of the convolution, (out, side/2, side/2); zeros beyond the edges.
 *
 * @param {Float32Array<ArrayBuffer>} x
 * @param {number} side
 * @param {Captioning.LoadedEye} layer
 */
function conv(x, side, layer) {
  const { in: I, out: O, kernel: K } = layer;
  const pad = (K - 1) / 2;
  const wide = side + 2 * pad;
  const half = side / 2;
  const size = I * K * K;
  const padded = new Float32Array(I * wide * wide);
  const y = new Float32Array(O * half * half);
  const patch = new Float32Array(size);
  for (let i = 0; i < I; i++)
    for (let r = 0; r < side; r++)
      padded.set(x.subarray((i * side + r) * side, (i * side + r + 1) * side), (i * wide + r + pad) * wide + pad);
  for (let r = 0; r < half; r++)
    for (let c = 0; c < half; c++) {
      for (let i = 0, n = 0; i < I; i++)
        for (let k = 0; k < K; k++, n += K) {
          const from = (i * wide + 2 * r + k) * wide + 2 * c;
          for (let l = 0; l < K; l++) patch[n + l] = padded[from + l];
        }
      linear(patch, layer).forEach((sum, o) => { y[(o * half + r) * half + c] = Math.max(0, sum); });
    }
  return y;
}

/**
 * A picture (SIDE, SIDE, 3) of numbers up to 255 -> the features of the 16 cells, row by row.
 *
 * @param {Captioning.LoadedEye[]} eyes
 * @param {Alive.Vector} picture
 */
export function grid(eyes, picture) {
  let side = SIDE, x = new Float32Array(3 * side * side);
  picture.forEach((value, n) => { x[(n % 3) * side * side + Math.floor(n / 3)] = value / 127.5 - 1; });
  for (const layer of eyes) {
    x = conv(x, side, layer);
    side /= 2;
  }
  const channels = x.length / CELLS ** 2;
  return Array.from({ length: CELLS ** 2 }, (_, cell) => {
    const features = new Float32Array(channels + 2 * CELLS);
    for (let c = 0; c < channels; c++) features[c] = x[c * CELLS ** 2 + cell];
    features[channels + Math.floor(cell / CELLS)] = 1;
    features[channels + CELLS + (cell % CELLS)] = 1;
    return features;
  });
}
