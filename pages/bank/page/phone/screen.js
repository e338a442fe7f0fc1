import { byId, fill, h, icon } from '../dom.js';
import { shortTime } from '../text/format.js';

/** @import { Phone } from './phone.js' */
/** @import { Phones } from './phones.js' */

/** What is around the phone that is shown: its name and clock, the switch between several, and what a push would bring. */
export class PhoneScreen {
  /** The request that a screen reader was told of. */
  #told = '';
  #isInView = true;

  /** @param {Phones} phones */
  constructor(phones) {
    this.phones = phones;
    this.switch = byId('phone-switch');
    this.ring = byId('ring');
    this.ring.addEventListener('click', () => {
      const challengeId = this.ring.dataset['challenge'] ?? '';
      phones.shown?.tell({ type: 'opened', challengeId });
    });
    new IntersectionObserver((entries) => {
      this.#isInView = entries.at(-1)?.isIntersecting === true;
      phones.onChange();
    }).observe(phones.place);
  }

  draw() {
    const { every, shown } = this.phones;
    if (!shown) return;
    for (const phone of every) phone.frame.hidden = phone !== shown;
    fill(byId('phone-name'), shown.report.name ?? 'New phone');
    this.tick();
    this.#drawSwitch();
    this.#drawRing(shown);
    this.#tell(shown);
    byId('phone-badge').hidden = !every.some(({ isRinging }) => isRinging);
  }

  /** The clock. */
  tick() {
    fill(byId('phone-clock'), shortTime(Date.now()));
  }

  /** Only with a second phone, connected or about to be. */
  #drawSwitch() {
    const { every, listed, shown } = this.phones;
    this.switch.hidden = listed.length < 2;
    const focused = document.activeElement?.getAttribute('data-phone');
    fill(
      this.switch,
      ...listed.map((phone) =>
        h(
          'button',
          {
            ...{ type: 'button', class: 'button small', 'data-phone': every.indexOf(phone) },
            'aria-pressed': String(phone === shown),
            click: () => this.phones.choose(phone),
          },
          icon('phone'),
          phone.report.name ?? 'New phone',
          phone.isRinging && h('span', { class: 'dot' }, h('span', { class: 'hidden' }, 'asks you')),
        ),
      ),
    );
    const again = focused && this.switch.querySelector(`[data-phone="${focused}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /**
   * The notification of a request that the user does not see: on the phone, or in the window while the phone is out of view.
   *
   * @param {Phone} phone
   */
  #drawRing({ report: { waiting, shows } }) {
    const isSeen = (/** @type {string} */ challengeId) =>
      this.#isInView && (shows === 'list' || (shows !== 'none' && shows.challengeId === challengeId));
    const request = waiting.find(({ challengeId }) => !isSeen(challengeId));
    this.ring.hidden = !request;
    this.ring.dataset['challenge'] = request?.challengeId ?? '';
    this.ring.classList.toggle('on-phone', this.#isInView);
    fill(byId('ring-message'), request?.message);
  }

  /** @param {Phone} phone */
  #tell({ report: { name, waiting } }) {
    const request = waiting.at(-1);
    const id = request?.challengeId ?? '';
    if (id === this.#told) return;
    this.#told = id;
    fill(byId('phone-status'), request && `${name} asks: ${request.message}`);
  }
}
