import { byId, fieldOf, fill, formOf, h, icon } from '../dom.js';
import { money } from '../text/format.js';
import { say, sayNothing } from './actions.js';
import { BankError, sharedPayment, sharePayment } from './api.js';

/** @import { Account, SharedPayment } from './api.js' */

const pauseMs = 1_000;

/**
 * What the vote of a customer says, by its status.
 *
 * @type {Record<string, string | undefined>}
 */
const said = {
  pending: 'is asked',
  confirmed: 'has agreed',
  denied: 'has refused',
  failed: 'has no phone',
  cancelled: 'need not answer any more',
  expired: 'did not answer',
};

/** A payment above the limit: the element asks nobody, and the page offers to ask a second person, too. */
export class SharePayment {
  #limit = 0;
  #isOver = false;

  /** @param {{ onAsked: () => void, onDone: (account: Account) => void }} listeners */
  constructor({ onAsked, onDone }) {
    this.onAsked = onAsked;
    this.onDone = onDone;
    this.form = formOf('pay');
    this.box = byId('shared');
    this.form.addEventListener('omi-start', (event) => {
      this.box.hidden = !this.#isAbove();
      if (this.box.hidden) return;
      event.preventDefault();
      sayNothing();
      fill(byId('shared-votes'));
    });
    byId('shared-ask').addEventListener('click', () => void this.#ask());
  }

  /** @param {Account} account */
  draw({ limit }) {
    this.#limit = limit;
    fill(byId('shared-limit'), money(limit));
  }

  close() {
    this.#isOver = true;
  }

  #isAbove() {
    return Number(fieldOf(this.form, 'amount').replace(',', '.')) > this.#limit;
  }

  async #ask() {
    const payment = { to: fieldOf(this.form, 'to'), amount: fieldOf(this.form, 'amount') };
    byId('shared-ask').hidden = true;
    try {
      const { id, ...asked } = await sharePayment(payment);
      this.#draw(asked);
      this.onAsked();
      await this.#follow(id, payment);
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      fill(byId('shared-votes'));
      say(`The bank refused: ${error.message}`, { isBad: true });
    }
    byId('shared-ask').hidden = false;
  }

  /**
   * @param {string} id
   * @param {{ to: string, amount: string }} payment
   */
  async #follow(id, { to, amount }) {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (this.#isOver) return;
      const { account, ...state } = await sharedPayment(id);
      this.#draw(state);
      if (state.status === 'pending') continue;
      this.box.hidden = true;
      const by = state.votes.filter(({ status }) => status === 'confirmed').map(({ name }) => name);
      if (state.status !== 'approved') say('Too few agreed, so nothing was paid.', { isBad: true });
      else say(`Paid ${money(Number(amount.replace(',', '.')))} to ${to}. ${by.join(' and ')} agreed.`);
      this.onDone(account);
      return;
    }
  }

  /** @param {SharedPayment} state */
  #draw({ votes }) {
    fill(
      byId('shared-votes'),
      ...votes.map(({ name, status }) =>
        h('li', {}, icon(status === 'confirmed' ? 'check' : 'phone'), `${name} ${textOf(status)}`),
      ),
    );
  }
}

/** @param {string} status */
const textOf = (status) => said[status] ?? status;
