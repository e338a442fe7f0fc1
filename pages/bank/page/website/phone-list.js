import { byId, fieldOf, fill, foreign, formOf, h, icon, inputOf, ofType } from '../dom.js';
import { dayAndTime } from '../text/format.js';
import { BankError, lostDevice } from './api.js';
import { isConfirmed, isQuiet, say, sayNothing } from './actions.js';

/** @import { Account, BankDevice } from './api.js' */

/** The phones that the bank knows: connect the first, add another, lose one. */
export class PhoneList {
  /** @type {readonly BankDevice[]} */
  #devices = [];

  /** @param {{ onChange: () => Promise<void>, onLink: (link: string | undefined) => void }} listeners */
  constructor({ onChange, onLink }) {
    this.onChange = onChange;
    this.onLink = onLink;
    this.list = byId('devices');
    byId('connect').addEventListener('click', () => this.#enrol(byId('first-phone')));
    const form = formOf('add-device');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (isConfirmed(form)) this.#enrol(byId('further-phone'), fieldOf(form, 'omi-confirmation'));
    });
  }

  /** @param {Account} account */
  draw({ devices }) {
    this.#devices = devices;
    formOf('lose-device').hidden = !devices.some(({ deviceId }) => deviceId === inputOf('lost-device').value);
    byId('first-phone').hidden = devices.length > 0;
    byId('bank-actions').hidden = devices.length === 0;
    fill(this.list, ...devices.map((device) => this.#row(device)));
  }

  /** Takes the code away, as when another user signs in. */
  clear() {
    for (const place of ['first-phone', 'further-phone'])
      byId(place).querySelector('omi-enrolment')?.remove();
    byId('connect').hidden = false;
    byId('further-phone').hidden = true;
    byId('add-device').hidden = false;
    this.onLink(undefined);
  }

  /** @param {BankDevice} device */
  #row(device) {
    const { name } = device;
    return h(
      'li',
      {},
      icon('phone'),
      h(
        'span',
        { class: 'column' },
        h('strong', {}, foreign(name)),
        h('span', { class: 'muted' }, usedText(device)),
      ),
      h(
        'button',
        {
          ...{ type: 'button', class: 'button small', 'aria-label': `I lost it: ${name}` },
          click: () => void this.#lose(device),
        },
        'I lost it',
      ),
    );
  }

  /** @param {BankDevice} lost */
  async #lose({ deviceId, name }) {
    const [other] = this.#devices.filter((device) => device.deviceId !== deviceId);
    if (other) {
      this.#askOther(other, { deviceId, name });
      return;
    }
    if (!(await isSure(name))) return;
    try {
      const { check } = await lostDevice(deviceId);
      say(`${name} is removed. ${check ?? ''}`);
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      say(`The bank refused: ${error.message}`, { isBad: true });
    }
    await this.onChange();
  }

  /**
   * The lost phone itself must not be the one that agrees.
   *
   * @param {BankDevice} other
   * @param {Pick<BankDevice, 'deviceId' | 'name'>} lost
   */
  #askOther(other, { deviceId, name }) {
    const form = formOf('lose-device');
    inputOf('lost-device').value = deviceId;
    fill(byId('lost-name'), foreign(name));
    form.querySelector('omi-confirmation')?.setAttribute('device-id', other.deviceId);
    form.hidden = false;
    form.requestSubmit();
  }

  /**
   * Shows the code of a new enrolment.
   *
   * @param {HTMLElement} place
   * @param {string} [confirmation] a further phone needs one
   */
  #enrol(place, confirmation) {
    const element = document.createElement('omi-enrolment');
    element.setAttribute('path', '/step-up');
    if (confirmation !== undefined) element.setAttribute('confirmation', confirmation);
    element.addEventListener('omi-enrolled', () => void this.#enrolled());
    this.clear();
    sayNothing();
    byId('connect').hidden = true;
    byId('add-device').hidden = confirmation !== undefined;
    place.hidden = false;
    place.append(element);
    watchLink(element, this.onLink);
    element.focus();
  }

  async #enrolled() {
    this.clear();
    formOf('add-device').reset();
    // The account may be there earlier than this news, and the user may have done something with it.
    if (isQuiet()) say('The bank knows your new phone.');
    await this.onChange();
  }
}

/**
 * The link behind the QR code. The page's own phone cannot point a camera at the page, so it reads what the code says.
 *
 * @param {HTMLElement} element
 * @param {(link: string | undefined) => void} onLink
 */
function watchLink(element, onLink) {
  const root = element.shadowRoot;
  if (!root) return;
  const tell = () => {
    const link = root.querySelector('a[href*="#"]');
    onLink(link instanceof HTMLAnchorElement ? link.href : undefined);
  };
  new MutationObserver(tell).observe(root, { childList: true, subtree: true, attributes: true });
  tell();
}

/**
 * Without another phone nothing could take it back.
 *
 * @param {string} name
 * @returns {Promise<boolean>}
 */
async function isSure(name) {
  const dialog = ofType('lose-only', HTMLDialogElement);
  fill(byId('lose-only-name'), foreign(name));
  dialog.returnValue = '';
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
  return dialog.returnValue === 'remove';
}

/** @param {BankDevice} device */
const usedText = ({ enrolledAt, lastSeenAt = enrolledAt }) =>
  `added ${dayAndTime(enrolledAt)}, last used ${dayAndTime(lastSeenAt)}`;
