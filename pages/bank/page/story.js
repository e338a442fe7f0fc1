import { byId } from './dom.js';

/** @import { Phone } from './phone/phone.js' */

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

  /** @param {Phone | undefined} phone */
  follow(phone) {
    const { waiting, state } = phone ?? {};
    if (waiting) this.#show(2);
    else if (state?.ended) this.#end(state.ended);
  }

  /**
   * A result stays on the phone; a later step must not go back because of it.
   *
   * @param {NonNullable<Phone['state']['ended']>} ended
   */
  #end({ challenge: { challengeId }, outcome }) {
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
