import { Phone } from './phone.js';

/** @import { Account, Config } from '../website/api.js' */

/** The phones that this browser plays for the signed-in user. Other windows have the same ones. */
export class Phones {
  /** @type {Phone[]} */
  all = [];
  /** The one in the user's hand. */
  #chosen = 0;
  /** It may read the code that the website shows. */
  #reading = -1;
  /** @type {string | undefined} */
  #link;
  /**
   * Phones of other customers, by their storage.
   *
   * @type {Map<string, Phone>}
   */
  #lent = new Map();

  /**
   * @param {{ user: Account['user'], config: Config }} owner
   * @param {HTMLElement} place
   * @param {{ onChange: () => void, onKept: () => void }} listeners
   */
  constructor({ user, config }, place, { onChange, onKept }) {
    const [first = user.name] = user.name.split(' ');
    this.owner = first;
    this.others = `phone ${config.tenantId} `;
    this.baseUrl = config.baseUrl;
    this.storage = `${this.others}${user.userId}`;
    this.place = place;
    this.onChange = onChange;
    this.onKept = onKept;
    this.load();
  }

  /** With those of other customers. */
  get every() {
    return [...this.all, ...this.#lent.values()];
  }

  /** Those that the user can choose from. */
  get listed() {
    const isReading = (/** @type {Phone} */ phone) => phone === this.all[this.#reading];
    return this.every.filter((phone) => phone.isConnected || isReading(phone));
  }

  get shown() {
    const { listed, every } = this;
    return listed.find((phone) => phone === every[this.#chosen]) ?? listed[0] ?? every[0];
  }

  /** Takes those out of the drawer that other windows have connected. The first is always there. */
  load() {
    while (this.all.length < Math.max(1, this.#kept)) this.#add();
  }

  /** The phones of other customers in this browser, who are asked as well. */
  lend() {
    const known = Object.keys(localStorage).filter(
      (name) =>
        name.startsWith(this.others) && name !== this.storage && Number(localStorage.getItem(name)) > 0,
    );
    for (const storage of known) {
      if (this.#lent.has(storage)) continue;
      const options = { storage: `${storage} 1`, name: 'Phone', baseUrl: this.baseUrl };
      this.#lent.set(storage, new Phone(this.place, options, (phone) => this.#rang(phone)));
    }
  }

  /** Puts them all back. */
  close() {
    for (const phone of this.every) phone.close();
  }

  /** @param {Phone} phone */
  choose(phone) {
    this.#chosen = this.every.indexOf(phone);
    this.onChange();
  }

  /** Something happened at the bank: the phones look at once. */
  look() {
    for (const phone of this.every) phone.tell({ type: 'pushed' });
  }

  /**
   * A code is on the website, for a phone that the bank does not know yet, or is there no more.
   *
   * @param {string | undefined} link
   */
  async offer(link) {
    if (link === this.#link) return;
    this.#link = link;
    await Promise.all(this.all.map(({ ready }) => ready));
    if (link !== this.#link) return;
    this.all[this.#reading]?.tell({ type: 'code' });
    this.#reading = link === undefined ? -1 : this.#blank();
    if (link !== undefined) await this.#read(this.#reading, link);
    this.onChange();
  }

  /**
   * @param {number} index
   * @param {string} link
   */
  async #read(index, link) {
    this.#chosen = index;
    const phone = this.all[index];
    await phone?.ready;
    if (link === this.#link) phone?.tell({ type: 'code', link });
  }

  /** The index of a phone that is nobody's yet. */
  #blank() {
    const index = this.all.findIndex(({ isConnected }) => !isConnected);
    if (index >= 0) return index;
    this.#add();
    return this.all.length - 1;
  }

  #add() {
    const number = this.all.length + 1;
    const name = `${this.owner}’s phone${number === 1 ? '' : ` ${number}`}`;
    const storage = `${this.storage} ${number}`;
    this.all.push(
      new Phone(this.place, { storage, name, baseUrl: this.baseUrl }, (phone) => this.#changed(phone)),
    );
  }

  /**
   * A phone that rings is taken to hand, unless another one rings already.
   *
   * @param {Phone} phone
   */
  #rang(phone) {
    if (phone.isRinging && !this.shown?.isRinging) this.choose(phone);
    else this.onChange();
  }

  /** @param {Phone} phone */
  #changed(phone) {
    const count = this.all.indexOf(phone) + 1;
    if (phone.isConnected && count > this.#kept) {
      localStorage.setItem(this.storage, String(count));
      this.onKept();
    }
    this.#rang(phone);
  }

  get #kept() {
    return Number(localStorage.getItem(this.storage));
  }
}
