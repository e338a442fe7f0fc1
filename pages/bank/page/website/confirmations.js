/** @typedef {HTMLElement & { state: string, texts: object }} Confirmation */

/** While it asks, it stays. */
const busy = ['sending', 'pending'];

/** The phone of the page needs no push: it shows each request at once. */
const texts = {
  quiet: ['Confirm on your phone', 'You will get a request on {device}.'],
  unreachable: ['Check {device}', 'Confirm if it says exactly this:'],
  openApp: '',
};

/**
 * Elements that the page has, or will have.
 *
 * @param {HTMLElement} place
 */
export function prepareConfirmations(place) {
  const prepare = () => {
    for (const element of place.querySelectorAll('omi-confirmation')) Object.assign(element, { texts });
  };
  new MutationObserver(prepare).observe(place, { childList: true, subtree: true });
  prepare();
}

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
