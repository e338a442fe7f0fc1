import { Behind } from '../behind/behind.js';
import { byId, formOf } from '../dom.js';
import { PhoneScreen } from '../phone/screen.js';
import { Phones } from '../phone/phones.js';
import { Story } from '../story.js';
import { drawAccount } from './account-view.js';
import { say, sayNothing, sendWhenConfirmed } from './actions.js';
import { startAgain } from './api.js';
import { prepareConfirmations, renewConfirmations } from './confirmations.js';
import { takeEarlyForm } from './early-form.js';
import { PhoneList } from './phone-list.js';
import { SharePayment } from './shared-payment.js';
import { makeTabs } from './tabs.js';

/** @import { Account, Config } from './api.js' */

/** What somebody who is signed in sees. It lives until somebody else signs in, so that nothing of one user stays for another. */
export class Bank {
  #story = new Story();
  #devices = '';

  /**
   * @param {Account} account
   * @param {{ config: Config, onChange: () => void, refresh: () => Promise<void> }} options `onChange`: other windows should know
   */
  constructor(account, { config, onChange, refresh }) {
    this.userId = account.user.userId;
    const template = byId('bank-template');
    if (!(template instanceof HTMLTemplateElement)) throw new Error('The page has no template');
    byId('place').replaceChildren(template.content.cloneNode(true));
    for (const link of byId('place').querySelectorAll('a[data-app]'))
      link.setAttribute('href', config.appUrl);

    this.phones = new Phones({ user: account.user, config }, byId('phone-screen'), {
      onChange: () => this.#follow(),
      onKept: onChange,
    });
    this.screen = new PhoneScreen(this.phones);
    this.list = new PhoneList({
      onChange: async () => {
        onChange();
        this.phones.look();
        await refresh();
      },
      onLink: (link) => void this.phones.offer(link),
    });
    this.behind = new Behind(config, {
      onAsked: () => {
        this.#story.asked();
        this.phones.look();
      },
      onEnded: () => this.phones.look(),
      onEvent: ({ metadata: { type } }) => {
        this.phones.look();
        if (type.startsWith('UserDevice')) void refresh();
      },
    });
    this.share = new SharePayment({
      onAsked: () => {
        this.phones.lend();
        this.#story.asked();
      },
      onDone: (changed) => {
        this.#story.checked();
        onChange();
        this.draw(changed);
      },
    });
    this.#watchForms({ onChange, refresh });
    prepareConfirmations(byId('bank-actions'));
    takeEarlyForm();
    this.timer = setInterval(() => this.screen.tick(), 1000);
    byId('greeting').focus();
  }

  /** @param {Account} account */
  draw(account) {
    drawAccount(account);
    this.list.draw(account);
    this.share.draw(account);
    const devices = account.devices.map(({ deviceId }) => deviceId).join();
    if (devices !== this.#devices) renewConfirmations(byId('bank-actions'));
    this.#devices = devices;
    this.phones.load();
  }

  look() {
    this.phones.look();
  }

  close() {
    clearInterval(this.timer);
    this.share.close();
    this.phones.close();
    this.behind.close();
    byId('place').replaceChildren();
  }

  #follow() {
    // Somebody else may have signed in meanwhile.
    if (!this.phones.place.isConnected) return;
    this.screen.draw();
    if (this.phones.shown) this.#story.follow(this.phones.shown.report);
  }

  /** @param {{ onChange: () => void, refresh: () => Promise<void> }} options */
  #watchForms({ onChange, refresh }) {
    makeTabs(byId('tabs'));
    const onDone = (/** @type {Account} */ account) => {
      this.#story.checked();
      onChange();
      this.draw(account);
    };
    for (const id of ['pay', 'change-address', 'raise-limit', 'lose-device'])
      sendWhenConfirmed(formOf(id), { onDone, onProblem: refresh });
    const actions = byId('bank-actions');
    actions.addEventListener('omi-start', () => sayNothing());
    actions.addEventListener('omi-problem', (event) => {
      const { detail } = /** @type {CustomEvent<{ code: string }>} */ (event);
      if (detail.code === tooMany) say(pauseReason, { isBad: true });
    });
    byId('start-again').addEventListener('click', () => {
      void startAgain()
        .then(onChange)
        .finally(() => void refresh());
    });
    actions.addEventListener('omi-ended', () => this.phones.look());
  }
}

const tooMany = 'too-many-notifications';

const pauseReason =
  'OMI asks this person nothing for a while: there were many requests, or somebody said “This was not me”. So nobody can be worn down ' +
  'until they confirm. Wait, or start again below.';
