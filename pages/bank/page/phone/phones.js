import { nameOfNextPhone } from '../text/phone-name.js';
import { enrolPhone, Phone, previewOf } from './phone.js';
import { PhoneStore } from './store.js';

/** @import { Account, Config } from '../website/api.js' */

/** @typedef {{ user: Account['user'], config: Config }} Owner */

/** The phones that this browser plays for the signed-in user. */
export class Phones {
  #store = new PhoneStore();
  /** @type {Phone[]} */
  all = [];
  /** The id of the phone in the user's hand. */
  #chosen = '';
  /** The user holds a new phone, which the bank does not know yet. */
  #isNew = false;
  #isExpecting = false;
  #isClosed = false;
  /** The latest look into the store: the next one waits for it, so that no phone is there twice. */
  #looking = Promise.resolve();

  /**
   * @param {Owner} owner
   * @param {{ onChange: () => void, onKept: () => void }} listeners
   */
  constructor(owner, { onChange, onKept }) {
    this.owner = owner;
    this.onChange = onChange;
    this.onKept = onKept;
  }

  /** The phone that is shown; undefined is a new one. */
  get shown() {
    if (this.#isNew) return undefined;
    return this.all.find(({ record }) => record.deviceId === this.#chosen) ?? this.all[0];
  }

  /** Takes the user's phones out of the drawer, also those of other windows. */
  async load() {
    this.#looking = this.#looking.then(async () => await this.#look());
    await this.#looking;
  }

  /** Puts them all back. */
  close() {
    this.#isClosed = true;
    for (const phone of this.all) phone.stop();
    this.all = [];
  }

  /** @param {Phone} phone */
  choose(phone) {
    this.#chosen = phone.record.deviceId;
    this.#isNew = false;
    this.onChange();
  }

  /** @param {boolean} isNew */
  takeNew(isNew) {
    this.#isNew = isNew;
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
   * For whom the code is that the website shows.
   *
   * @param {string} link
   */
  async preview(link) {
    return await previewOf(link, this.owner.config.baseUrl);
  }

  /**
   * Scans the code that the website shows.
   *
   * @param {string} link
   */
  async scan(link) {
    const { user, config } = this.owner;
    const names = this.all.map(({ record }) => record.name);
    const name = nameOfNextPhone(user.name, names);
    const record = await enrolPhone(link, { name, baseUrl: config.baseUrl });
    await this.#store.put(record);
    this.#chosen = record.deviceId;
    this.#isNew = false;
    await this.load();
    this.onKept();
  }

  /**
   * Deletes the phone with its key. The bank may still have it in its list.
   *
   * @param {Phone} phone
   */
  async forget(phone) {
    await this.#store.remove(phone.record.deviceId);
    await this.load();
    this.onKept();
  }

  async #look() {
    const { user, config } = this.owner;
    const records = (await this.#store.all()).filter(
      ({ identity: { userId, tenantId, baseUrl } }) =>
        userId === user.userId && tenantId === config.tenantId && baseUrl === config.baseUrl,
    );
    const phones = await Promise.all(
      records.map(async (record) => this.#known(record) ?? (await this.#made(record))),
    );
    if (this.#isClosed) return;
    const before = this.all;
    this.all = phones;
    for (const phone of before) if (!phones.includes(phone)) phone.stop();
    for (const phone of phones) if (!before.includes(phone)) this.#start(phone);
    this.onChange();
  }

  /** @param {Phone['record']} record */
  #known({ deviceId }) {
    return this.all.find(({ record }) => record.deviceId === deviceId);
  }

  /** @param {Phone['record']} record */
  async #made(record) {
    return await Phone.from(record, () => this.#changed());
  }

  /** @param {Phone} phone */
  #start(phone) {
    if (this.#isExpecting) phone.expect(true);
    else phone.look();
  }

  /** A phone that rings is taken to hand, unless another one rings already. */
  #changed() {
    const ringing = this.shown?.waiting ? undefined : this.all.find(({ waiting }) => waiting);
    if (ringing) this.choose(ringing);
    else this.onChange();
  }
}
