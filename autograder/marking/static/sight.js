// Measures the parts of the page that stay in place while the answers scroll, and gives their heights to the style, so
// that the answer in hand scrolls to where no part covers it.

const fixedParts = {
  "--head": /** @type {HTMLElement} */ (document.querySelector("header")),
  "--panel": document.getElementById("panel"),
  "--about": document.getElementById("about"),
};
for (const [name, covering] of Object.entries(fixedParts)) {
  new ResizeObserver(([entry]) =>
    document.documentElement.style.setProperty(name, `${Math.ceil(entry.borderBoxSize[0].blockSize)}px`),
  ).observe(covering);
}

/**
 * The height of the window, in pixels, that fixed parts leave to a card.
 *
 * @param {Element} card
 */
export function freeHeight(card) {
  const { scrollMarginTop, scrollMarginBottom } = getComputedStyle(card);
  return innerHeight - parseFloat(scrollMarginTop) - parseFloat(scrollMarginBottom);
}
