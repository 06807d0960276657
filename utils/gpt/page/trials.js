// Three questions to guess before the page answers: which letters need the heads, which model repeats a name, how warm
// it may be.
import { trials } from "../../alive/js/parts.js";
import { namedIn } from "./heads.js";
import { losses } from "./model.js";
import { judged } from "./tale.js";
import { written } from "./writer.js";

const LOST = 0.5; // a kind of letters counts as lost if it costs so many nats a letter more
const WARM = [0.25, 1, 4];

/**
 * The mean loss of the letters of one kind in the message's tale, in nats.
 *
 * @param {Gpt.Model} model
 * @param {Gpt.Tale} tale
 * @param {string} kind
 * @param {Gpt.ReadOptions} options
 */
export function lossOf(model, { letters, kinds }, kind, options = {}) {
  const chosen = losses(model, letters, options).filter((_, n) => kinds[n + 1] === kind);
  return chosen.reduce((sum, loss) => sum + loss, 0) / chosen.length;
}

/**
 * `off(sets)` takes heads of the last model away; `reset()` undoes mistakes and the temperature.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {{ data: Gpt.Data, models: Gpt.Model[], off: (sets: Gpt.Off) => void, reset: () => void }} options
 */
export function guesses(page, parent, { data, models, off, reset }) {
  const { say, number } = page, model = models[models.length - 1], none = () => off(model.scores.map(() => new Set()));
  /**
   * @param {string} kind
   * @param {Gpt.Model} other
   * @param {Gpt.ReadOptions} options
   */
  const nats = (kind, other = model, options = {}) => lossOf(other, data.tale, kind, options);
  const begin = () => { reset(); none(); };

  function heads() {
    begin();
    const sets = namedIn(model.scores, data.named), kinds = Object.values(data.kinds);
    const changes = kinds.map((kind) => [nats(kind), nats(kind, model, { off: sets })]);
    off(sets);
    return changes.map(([before, after]) => ({
      right: after > before + LOST,
      says: say("changed", { before: number(before, 2), after: number(after, 2) }),
    }));
  }
  function layers() {
    begin();
    return models
      .map((other) => nats(data.kinds.again, other))
      .map((loss) => ({ right: loss < LOST, says: say("nats", { loss: number(loss, 2) }) }));
  }
  function warm() {
    begin();
    return WARM.map((temperature) => {
      const { letters } = written(model, [data.end], { ...data, temperature, topP: 1, seed: 1 });
      const all = judged(letters.map((n) => data.letters[n]).join(""), data.sentence);
      return { right: all.of > 0 && all.good === all.of, says: say("formed", all) };
    });
  }
  return trials(page, parent, [
    { name: "heads", options: () => Object.keys(data.kinds).map((kind) => say(`kind_${kind}`)), show: heads },
    { name: "layers", options: () => models.map(({ name }) => name), show: layers },
    { name: "warm", options: () => WARM.map((value) => say("at", { temperature: number(value, 2) })), show: warm },
  ]);
}
