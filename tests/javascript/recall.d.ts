// Types that the modules of the explorer of `recall` share.

declare namespace Recall {
  type Pair = { guest: number; room: number };
  type Sizes = { guests: number; rooms: number };

  /** A memory as the message carries it: its trained vectors, packed, and a day with the scores of its rooms. */
  interface Spec extends Sizes {
    kind: "softmax" | "table" | "delta";
    size: number;
    weights: string;
    probe: { told: Pair[]; asked: number[]; output: string };
  }

  interface Memory extends Spec {
    keys: Float32Array<ArrayBuffer>;
    queries: Float32Array<ArrayBuffer>;
    values: Float32Array<ArrayBuffer>;
    output: Alive.Dense;
  }

  /** `strength` is that of the delta rule. */
  type Options = { mistake: string; strength: number };
  type Answer = { right: number; room: number; sure: number };
  /** What a memory keeps after a day, and what it answers for each guest; no table where all pairs are kept. */
  type Known = { table: Float32Array<ArrayBuffer> | null; answers: Map<number, Answer> };

  /** `until`: the number of pairs told so far; `partner`: the pair whose number is unfolded, null for the guest's own. */
  interface State extends Options {
    told: Pair[];
    until: number;
    asked: number;
    chosen: number;
    partner: number | null;
  }

  interface Data extends Alive.Message {
    memories: Spec[];
    names: string[];
    told: Pair[];
  }
}
