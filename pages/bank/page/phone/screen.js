import { byId, fill, h, icon } from '../dom.js';
import { countdown, countdownWords, shortTime } from '../text/format.js';
import { challengeView } from './challenge-view.js';
import { othersKey, othersView } from './others-view.js';
import { problemOf } from './phone.js';
import { blankView, endedView, idleView, loadingView, removedView, scanView } from './screens.js';

/** @import { Phone } from './phone.js' */
/** @import { Phones } from './phones.js' */
/** @import { EnrolmentPreview } from '/assets/omi-device.js' */

/** @typedef {{ forWhom?: EnrolmentPreview, isWorking: boolean, problem?: string }} Scanning */

/** Draws the phone that is shown, and the switch between several. */
export class PhoneScreen {
  /** What is on the screen. The same is not drawn again, so that focus and choice stay. */
  #drawn = '';
  /** The challenge that a screen reader was told of. */
  #told = '';
  /** @type {string | undefined} */
  link;
  /** @type {Scanning} */
  scanning = { isWorking: false };

  /** @param {Phones} phones */
  constructor(phones) {
    this.phones = phones;
    this.screen = byId('phone-screen');
    this.status = byId('phone-status');
    this.switch = byId('phone-switch');
    hideWhileInView(byId('ring'), this.screen);
  }

  /**
   * A code is on the website, for a phone that the bank does not know yet.
   *
   * @param {string | undefined} link
   */
  offer(link) {
    if (link === this.link) return;
    this.link = link;
    this.scanning = { isWorking: false };
    this.phones.takeNew(link !== undefined);
    if (link !== undefined) void this.#read(link);
  }

  draw() {
    const phone = this.phones.shown;
    this.#drawSwitch();
    this.#tell(phone);
    fill(byId('phone-name'), phone?.record.name ?? 'New phone');
    const key = JSON.stringify([phone?.record.deviceId, keyOf(phone), !phone && [this.link, this.scanning]]);
    if (key !== this.#drawn) {
      this.#drawn = key;
      const hadFocus = this.screen.contains(document.activeElement);
      fill(this.screen, phone ? this.#viewOf(phone) : this.#blank());
      this.tick();
      if (hadFocus) this.screen.querySelector('h3')?.focus();
    }
    if (phone) this.#drawOthers(phone);
  }

  /** The countdown and the clock, each second. */
  tick() {
    fill(byId('phone-clock'), shortTime(Date.now()));
    const left = (this.phones.shown?.waiting?.deadline ?? 0) - Date.now();
    const timer = this.screen.querySelector('[role=timer]');
    if (!timer) return;
    fill(
      timer,
      h('span', { 'aria-hidden': 'true' }, countdown(left)),
      h('span', { class: 'hidden' }, countdownWords(left)),
    );
    timer.classList.toggle('soon', left < 30_000);
  }

  /**
   * The list changes while a request is shown, and must not take away what the user has chosen or typed.
   *
   * @param {Phone} phone
   */
  #drawOthers(phone) {
    const place = this.screen.querySelector('[data-others]');
    if (!(place instanceof HTMLElement)) return;
    const key = othersKey(phone.state);
    if (place.dataset['others'] === key) return;
    const hadFocus = document.activeElement?.getAttribute('data-challenge');
    place.dataset['others'] = key;
    fill(
      place,
      othersView(phone.state, (challengeId) => phone.choose(challengeId)),
    );
    const again = hadFocus && place.querySelector(`[data-challenge="${hadFocus}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /** @param {Phone} phone */
  #viewOf(phone) {
    const { state } = phone;
    if (state.contact === 'removed') return removedView(() => void this.phones.forget(phone));
    const [waiting] = state.waiting;
    if (waiting && !state.isPaused)
      return challengeView(waiting.challenge, state, {
        answer: (decision, number) => void phone.answer(waiting.challenge, decision, number),
      });
    if (state.ended) return endedView(state.ended, state.waiting.length, () => phone.dismiss());
    return state.contact === 'new' ? loadingView() : idleView(state.contact === 'unreachable');
  }

  #blank() {
    const { link } = this;
    if (link === undefined) return blankView();
    const actions = { read: () => void this.#read(link), connect: () => void this.#connect(link) };
    return scanView(this.scanning, actions);
  }

  /**
   * Says for whom the code is before the user decides.
   *
   * @param {string} link
   */
  async #read(link) {
    await this.#work(async () => ({ isWorking: false, forWhom: await this.phones.preview(link) }));
  }

  /** @param {string} link */
  async #connect(link) {
    await this.#work(async () => {
      await this.phones.scan(link);
      this.link = undefined;
      return { isWorking: false };
    });
  }

  /**
   * One step at a time. What comes of a code that is no longer offered is not shown.
   *
   * @param {() => Promise<Scanning>} step
   */
  async #work(step) {
    if (this.scanning.isWorking) return;
    const { problem: _, ...before } = this.scanning;
    const working = { ...before, isWorking: true };
    this.scanning = working;
    this.draw();
    const after = await step().catch((/** @type {unknown} */ error) => ({
      ...before,
      isWorking: false,
      problem: problemOf(error).message,
    }));
    if (this.scanning === working) this.scanning = after;
    this.draw();
  }

  /** Only with a second phone, connected or about to be. */
  #drawSwitch() {
    const { all, shown } = this.phones;
    const canAdd = all.length > 0 && this.link !== undefined;
    this.switch.hidden = all.length + (canAdd ? 1 : 0) < 2;
    const hadFocus = document.activeElement?.getAttribute('data-phone');
    fill(
      this.switch,
      ...all.map((phone) =>
        switchButton(phone.record.deviceId, phone.record.name, phone === shown, {
          rings: phone.waiting !== undefined,
          choose: () => this.phones.choose(phone),
        }),
      ),
      canAdd &&
        switchButton('new', 'New phone', shown === undefined, {
          rings: false,
          choose: () => this.phones.takeNew(true),
        }),
    );
    if (!hadFocus) return;
    const again = this.switch.querySelector(`[data-phone="${hadFocus}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /** @param {Phone | undefined} phone */
  #tell(phone) {
    const challenge = phone?.waiting?.challenge;
    const id = challenge?.challengeId ?? '';
    byId('phone-badge').hidden = !this.phones.all.some(({ waiting }) => waiting);
    if (id === this.#told) return;
    this.#told = id;
    byId('ring').hidden = !challenge;
    fill(byId('ring-message'), challenge?.message);
    fill(this.status, challenge && `${phone.record.name} asks: ${challenge.message}`);
  }
}

/**
 * In a narrow window the phone may be below what is in view. Then a banner leads to it.
 *
 * @param {HTMLElement} banner
 * @param {HTMLElement} target
 */
function hideWhileInView(banner, target) {
  const observer = new IntersectionObserver((entries) =>
    banner.classList.toggle('seen', entries.at(-1)?.isIntersecting === true),
  );
  observer.observe(target);
}

/**
 * What changes the screen.
 *
 * @param {Phone | undefined} phone
 */
function keyOf(phone) {
  if (!phone) return undefined;
  const { contact, waiting, isPaused, answering, asksNumber, problem, ended } = phone.state;
  const [shown] = waiting;
  // While a request is shown, a call that fails must not take away what the user has chosen.
  if (shown && !isPaused) return [shown.challenge.challengeId, answering, asksNumber, problem];
  return [contact, ended?.challenge.challengeId, ended?.outcome, waiting.length > 0];
}

/**
 * @param {string} id
 * @param {string} name
 * @param {boolean} isShown
 * @param {{ rings: boolean, choose: () => void }} options
 */
const switchButton = (id, name, isShown, { rings, choose }) =>
  h(
    'button',
    { type: 'button', class: 'chip', 'aria-pressed': String(isShown), 'data-phone': id, click: choose },
    icon('phone'),
    name,
    rings && h('span', { class: 'dot' }, h('span', { class: 'hidden' }, 'asks you')),
  );
