import { BankError, send } from './api.js';
import { byId, fieldOf, fill, h, icon } from '../dom.js';
import { money } from '../text/format.js';

/** @import { Account } from './api.js' */

/** @param {(name: string) => string} field */
const amountIn = (field) => Number(field('amount').replace(',', '.'));

/**
 * What the bank says when it is done.
 *
 * @type {Record<string, (field: (name: string) => string) => string>}
 */
const done = {
  payment: (field) => `Paid ${money(amountIn(field))} to ${field('to')}.`,
  address: (field) => `Your address is now ${field('street')}.`,
  limit: (field) => `Your limit is now ${money(amountIn(field))}.`,
  'remove-device': () => 'The phone is removed.',
};

/**
 * Sends the bank's forms. `<omi-confirmation>` in a form holds its submit back until the user has confirmed; then the form is
 * submitted with the id of the confirmation, and arrives here.
 *
 * @param {HTMLFormElement} form
 * @param {{ onDone: (account: Account) => void, onProblem: () => Promise<void> }} listeners
 */
export function sendWhenConfirmed(form, { onDone, onProblem }) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isConfirmed(form)) void carryOut();
  });
  const carryOut = async () => {
    const said = done[fieldOf(form, 'action')]?.((name) => fieldOf(form, name)) ?? 'Done.';
    try {
      const account = await send(form);
      onDone(account);
      say([said, account.check].filter(Boolean).join(' '));
      byId('bank-says').append(h('a', { href: '#evidence-title' }, 'See what your phone signed'));
      form.reset();
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      say(`The bank refused: ${error.message}`, { isBad: true });
      await onProblem();
    }
  };
}

/** @param {HTMLFormElement} form */
export const isConfirmed = (form) => fieldOf(form, 'omi-confirmation') !== '';

/**
 * @param {string} text
 * @param {{ isBad?: boolean }} [options]
 */
export function say(text, { isBad = false } = {}) {
  const box = byId('bank-says');
  box.className = isBad ? 'notice bad' : 'notice good';
  fill(box, icon(isBad ? 'alert' : 'check'), text);
}

export function sayNothing() {
  const box = byId('bank-says');
  box.className = 'notice';
  fill(box);
}

/** The bank says nothing at this moment. */
export const isQuiet = () => byId('bank-says').childNodes.length === 0;
