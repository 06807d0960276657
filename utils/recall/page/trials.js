// Three questions to guess before the page answers them: guests who move, a full hotel, the first guests told.
import { trials as asked } from "../../alive/js/parts.js";
import { dice, moved, more } from "./day.js";
import { remember, rightShare } from "./memory.js";

const DAYS = 12, GOOD = 0.9; // of new days each memory is judged on; the share from which it counts as right
const FEW = 16, MANY = 128; // guests

/**
 * The trials; `show(told)` draws the last day of each.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {Recall.Memory[]} memories
 * @param {Recall.Sizes} sizes
 * @param {(told: Recall.Pair[]) => void} show
 */
export function trials(page, parent, memories, sizes, show) {
  const { say, percent } = page;
  const options = () => memories.map(({ kind }) => say(kind));
  /** @type {(name: string, day: (roll: (limit: number) => number) => Recall.Pair[]) => Alive.Trial} */
  const trial = (name, day) => ({
    name,
    options,
    show: () => {
      const days = Array.from({ length: DAYS }, (_, n) => day(dice(1000 + n)));
      show(days[0]);
      return memories.map((memory) => {
        const found = days.map((told) => rightShare(remember(memory, told, { mistake: "", strength: 1 })));
        const share = found.reduce((all, right) => all + right, 0) / DAYS;
        return { right: share >= GOOD, says: say("of_days", { share: percent(share) }) };
      });
    },
  });
  return asked(page, parent, [
    trial("few", (roll) => more([], FEW, roll, sizes)),
    trial("moves", (roll) => {
      const told = more([], FEW, roll, sizes);
      return [...told, ...told.map(({ guest }) => moved(told, guest, roll, sizes))];
    }),
    trial("full", (roll) => more([], MANY, roll, sizes)),
  ]);
}
