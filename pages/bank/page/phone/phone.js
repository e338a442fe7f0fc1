import { Device, DeviceError, WebCryptoKey, preview, scan } from '/assets/omi-device.js';
import { pauseOf } from './pace.js';
import {
  answered,
  answering,
  chosen,
  dismissed,
  fetched,
  initialState,
  refused,
  ticked,
  unreachable,
} from './state.js';

/** @import { Challenge } from '/assets/omi-device.js' */
/** @import { Decision, PhoneState } from './state.js' */
/** @import { PhoneRecord } from './store.js' */

/** The page's origin forwards a device's calls to the service, so there is no CORS. */
const endpoint = location.origin;

/**
 * For whom the code is, before the phone is anybody's.
 *
 * @param {string} link what the QR code holds
 * @param {string} baseUrl
 */
export const previewOf = async (link, baseUrl) => await preview(scan(link, { baseUrl }), { endpoint });

/**
 * Enrols a new phone: makes its key, which cannot leave the browser, and proves to the service that it has it.
 *
 * @param {string} link what the QR code holds
 * @param {{ name: string, baseUrl: string }} options
 * @returns {Promise<PhoneRecord>}
 */
export async function enrolPhone(link, { name, baseUrl }) {
  const key = await WebCryptoKey.generate();
  const description = { name, platform: /** @type {const} */ ('web'), model: 'Phone of the demo bank' };
  const { identity } = await Device.enrol(scan(link, { baseUrl }), description, { key, endpoint });
  return { deviceId: identity.deviceId, name, identity, keyPair: key.keyPair };
}

/** One phone: asks the service what waits, and signs what its user decides. */
export class Phone {
  /** @type {PhoneState} */
  state = initialState;
  /** The website waits for an answer, so this phone asks often. */
  #isExpecting = false;
  #failures = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isStopped = false;
  /** Counts the questions, so that an answer that was overtaken by another one says nothing. */
  #round = 0;

  /**
   * @param {PhoneRecord} record
   * @param {Device} device
   * @param {() => void} onChange
   */
  constructor(record, device, onChange) {
    this.record = record;
    this.device = device;
    this.onChange = onChange;
  }

  /**
   * @param {PhoneRecord} record
   * @param {() => void} onChange
   */
  static async from(record, onChange) {
    const key = await WebCryptoKey.from(record.keyPair);
    return new Phone(record, new Device({ identity: record.identity, key, endpoint }), onChange);
  }

  get waiting() {
    return this.state.waiting[0];
  }

  /** @param {boolean} isExpecting */
  expect(isExpecting) {
    this.#isExpecting = isExpecting;
    if (isExpecting) this.look();
  }

  /** Asks now, and from then on again and again. */
  look() {
    clearTimeout(this.#timer);
    if (!this.#isStopped && this.state.contact !== 'removed') void this.#ask();
  }

  stop() {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  tick() {
    this.#change(ticked(this.state, Date.now()));
  }

  dismiss() {
    this.#change(dismissed(this.state));
  }

  /** @param {string} challengeId */
  choose(challengeId) {
    this.#change(chosen(this.state, challengeId));
  }

  /**
   * @param {Challenge} challenge
   * @param {Decision} decision
   * @param {string} [number]
   */
  async answer(challenge, decision, number) {
    if (this.state.answering) return;
    this.#change(answering(this.state, decision));
    try {
      const { status } = await this.device.answer(challenge, answerOf(decision, number));
      this.#change(answered(this.state, status));
    } catch (error) {
      this.#change(refused(this.state, problemOf(error)));
    }
    this.look();
  }

  async #ask() {
    this.#round += 1;
    const round = this.#round;
    const state = await this.#stateAfterAsking();
    if (this.#isStopped || round !== this.#round) return;
    this.#change(state(this.state));
    if (this.state.contact === 'removed') return;
    const isOpen = this.#isExpecting || this.state.waiting.length > 0;
    this.#timer = setTimeout(() => this.look(), pauseOf({ isOpen, failures: this.#failures }));
  }

  /** @returns {Promise<(state: PhoneState) => PhoneState>} */
  async #stateAfterAsking() {
    try {
      const challenges = await this.device.challenges();
      this.#failures = 0;
      return (state) => fetched(state, challenges, Date.now());
    } catch (error) {
      this.#failures += 1;
      const { code } = problemOf(error);
      return (state) => unreachable(state, code);
    }
  }

  /** @param {PhoneState} state */
  #change(state) {
    if (state === this.state) return;
    this.state = state;
    this.onChange();
  }
}

/**
 * @param {Decision} decision
 * @param {string} [number]
 * @returns {Parameters<Device['answer']>[1]}
 */
function answerOf(decision, number) {
  if (decision === 'confirm') return number ? { decision, number } : { decision };
  return { decision: 'deny', reason: decision === 'not_me' ? 'not_me' : 'user_declined' };
}

/** @param {unknown} error */
export const problemOf = (error) =>
  error instanceof DeviceError
    ? { code: error.code, message: error.message }
    : { code: 'unexpected', message: 'Something went wrong. Try again.' };
