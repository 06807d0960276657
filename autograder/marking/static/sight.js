// Heights of what stays in sight beside the answers, for the style: an answer in hand scrolls to where nothing covers
// it.

const parts = {
  "--head": /** @type {HTMLElement} */ (document.querySelector("header")),
  "--panel": document.getElementById("panel"),
  "--about": document.getElementById("about"),
};
for (const [name, covering] of Object.entries(parts)) {
  new ResizeObserver(([seen]) =>
    document.documentElement.style.setProperty(name, `${Math.ceil(seen.borderBoxSize[0].blockSize)}px`),
  ).observe(covering);
}

/**
 * The pixels of the window's height in which a card is seen whole.
 *
 * @param {Element} card
 */
export function room(card) {
  const { scrollMarginTop, scrollMarginBottom } = getComputedStyle(card);
  return innerHeight - parseFloat(scrollMarginTop) - parseFloat(scrollMarginBottom);
}
