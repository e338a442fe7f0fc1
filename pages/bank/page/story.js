import { byId } from './dom.js';

/** @import { PhoneReport } from '../../app/src/phone/report.ts' */

/** How many of the four steps are reached: asked, on the phone, signed, checked. */
/** @typedef {0 | 1 | 2 | 3 | 4} Reached */

/** The four steps above both ends, which follow what happens. */
export class Story {
  #ended = '';

  asked() {
    this.#show(1);
  }

  checked() {
    this.#show(4);
  }

  /** @param {PhoneReport} phone */
  follow({ waiting, ended }) {
    if (waiting.length > 0) this.#show(2);
    else if (ended) this.#end(ended);
  }

  /**
   * A result stays on the phone; a later step must not go back because of it.
   *
   * @param {NonNullable<PhoneReport['ended']>} ended
   */
  #end({ challengeId, outcome }) {
    if (this.#ended === challengeId) return;
    this.#ended = challengeId;
    this.#show(outcome === 'confirmed' ? 3 : 0);
  }

  /** @param {Reached} reached */
  #show(reached) {
    [...byId('steps').children].forEach((step, index) => {
      step.classList.toggle('done', index < reached);
      if (index === reached - 1) step.setAttribute('aria-current', 'step');
      else step.removeAttribute('aria-current');
    });
  }
}
