/** @typedef {HTMLElement & { state: string }} Confirmation */

/** While it asks, it stays. */
const busy = ['sending', 'pending'];

/**
 * The user's phones have changed: the elements, which know them from their start, are made anew.
 *
 * @param {HTMLElement} place
 */
export function renewConfirmations(place) {
  for (const element of place.querySelectorAll('omi-confirmation')) {
    const { state } = /** @type {Confirmation} */ (element);
    if (!busy.includes(state)) element.replaceWith(element.cloneNode());
  }
}
