import { byId } from './dom.js';

/** @typedef {'none' | 'asked' | 'on-phone' | 'signed' | 'checked'} Step */

/** @type {readonly Step[]} */
const order = ['none', 'asked', 'on-phone', 'signed', 'checked'];

/**
 * Shows how far the story is.
 *
 * @param {Step} step
 */
export function showStep(step) {
  const reached = order.indexOf(step);
  [...byId('steps').children].forEach((item, index) => {
    item.classList.toggle('done', index < reached);
    if (index === reached - 1) item.setAttribute('aria-current', 'step');
    else item.removeAttribute('aria-current');
  });
}
