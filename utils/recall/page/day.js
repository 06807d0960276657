// Days of the hotel: guests get rooms, and some move.

/**
 * A generator of whole numbers below a limit, the same for the same seed (mulberry32).
 *
 * @param {number} seed
 */
export function dice(seed) {
  let state = seed >>> 0;
  /** @param {number} limit */
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

/**
 * `count` more pairs of guests that have not been told yet.
 *
 * @param {Recall.Pair[]} told
 * @param {number} count
 * @param {(limit: number) => number} roll
 * @param {Recall.Sizes} sizes
 */
export function more(told, count, roll, { guests, rooms }) {
  const known = new Set(told.map(({ guest }) => guest)), added = [];
  while (added.length < count && known.size < guests) {
    const guest = roll(guests);
    if (known.has(guest)) continue;
    known.add(guest);
    added.push({ guest, room: roll(rooms) });
  }
  return added;
}

/**
 * A guest in another room than the one told last.
 *
 * @param {Recall.Pair[]} told
 * @param {number} guest
 * @param {(limit: number) => number} roll
 * @param {Recall.Sizes} sizes
 */
export function moved(told, guest, roll, { rooms }) {
  const last = told.filter((pair) => pair.guest === guest).pop();
  return { guest, room: ((last?.room ?? 0) + 1 + roll(rooms - 1)) % rooms };
}
