import { nameOfNextPhone } from '../text/phone-name.js';
import { enrolPhone, Phone } from './phone.js';
import { PhoneStore } from './store.js';

/** @import { Account, Config } from '../website/api.js' */

/** The phones that this browser plays for the signed-in user. */
export class Phones {
  #store = new PhoneStore();
  /** @type {Phone[]} */
  all = [];
  /** The phone that is shown; undefined is a new one that is not connected. */
  /** @type {Phone | undefined} */
  shown;
  /** @type {{ user: Account['user'], config: Config } | undefined} */
  #owner;
  #isExpecting = false;
  #isClosed = false;

  /** @param {{ onChange: () => void, onKept: () => void }} listeners */
  constructor({ onChange, onKept }) {
    this.onChange = onChange;
    this.onKept = onKept;
  }

  /**
   * Takes the user's phones out of the drawer.
   *
   * @param {{ user: Account['user'], config: Config }} owner
   */
  async show({ user, config }) {
    this.#owner = { user, config };
    const records = (await this.#store.all()).filter(
      ({ identity }) =>
        identity.userId === user.userId &&
        identity.tenantId === config.tenantId &&
        identity.baseUrl === config.baseUrl,
    );
    if (this.#isClosed) return;
    const known = this.all.filter(({ record }) =>
      records.some(({ deviceId }) => deviceId === record.deviceId),
    );
    for (const phone of this.all) if (!known.includes(phone)) phone.stop();
    const fresh = records.filter(({ deviceId }) => !known.some(({ record }) => record.deviceId === deviceId));
    const added = await Promise.all(
      fresh.map(async (record) => await Phone.from(record, () => this.#changed())),
    );
    this.all = [...known, ...added];
    if (!this.shown || !this.all.includes(this.shown)) this.shown = this.all[0];
    for (const phone of added) this.#start(phone);
    this.onChange();
  }

  /** Puts them all back. */
  close() {
    this.#isClosed = true;
    for (const phone of this.all) phone.stop();
    this.all = [];
  }

  /** @param {Phone | undefined} phone */
  select(phone) {
    this.shown = phone;
    this.onChange();
  }

  /**
   * The website asked, or has its answer.
   *
   * @param {boolean} isExpecting
   */
  expect(isExpecting) {
    this.#isExpecting = isExpecting;
    for (const phone of this.all) phone.expect(isExpecting);
  }

  /** Something happened at the bank: the phones look at once. */
  look() {
    for (const phone of this.all) phone.look();
  }

  tick() {
    for (const phone of this.all) phone.tick();
  }

  /**
   * Scans the code that the website shows.
   *
   * @param {string} link
   */
  async scan(link) {
    const owner = this.#owner;
    if (!owner) throw new Error('Nobody is signed in');
    const name = nameOfNextPhone(
      owner.user.name,
      this.all.map(({ record }) => record.name),
    );
    const record = await enrolPhone(link, { name, baseUrl: owner.config.baseUrl });
    await this.#store.put(record);
    this.onKept();
    if (this.#isClosed) return;
    const phone = await Phone.from(record, () => this.#changed());
    this.all = [...this.all, phone];
    this.#start(phone);
    this.select(phone);
  }

  /**
   * Deletes the phone with its key. The bank may still have it in its list.
   *
   * @param {Phone} phone
   */
  async forget(phone) {
    phone.stop();
    await this.#store.remove(phone.record.deviceId);
    this.all = this.all.filter((other) => other !== phone);
    if (this.shown === phone) this.shown = this.all[0];
    this.onKept();
    this.onChange();
  }

  /** @param {Phone} phone */
  #start(phone) {
    if (this.#isExpecting) phone.expect(true);
    else phone.look();
  }

  /** A phone that rings is taken to hand, unless another one rings already. */
  #changed() {
    if (!this.shown?.waiting) this.shown = this.all.find(({ waiting }) => waiting) ?? this.shown;
    this.onChange();
  }
}
