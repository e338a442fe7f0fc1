import { devicesOf, type Intent } from './intent.ts';
import { Phone } from './phone.ts';
import type { Site } from './site.ts';

/** After a report, nobody asks the user for this time. */
const quietMs = 20 * 60_000;

/** A user of the website, with devices. */
export class User {
  readonly userId: string;
  #intent: Intent;
  /** When the intent was made up: a question from before counts from here. */
  intendedAt: number;
  /** Oldest first. */
  phones: Phone[];
  quietUntil = 0;
  readonly #site: Site;

  constructor(site: Site, userId: string, intent: Intent) {
    this.#site = site;
    this.userId = userId;
    this.#intent = intent;
    this.intendedAt = 0;
    this.phones = [];
    this.#provide(devicesOf(intent));
  }

  get intent(): Intent {
    return this.#intent;
  }

  will(intent: Intent): void {
    this.#intent = intent;
    this.intendedAt = this.#site.clock.now();
    this.quietUntil = 0;
    this.#provide(devicesOf(intent));
  }

  report(at: number): void {
    this.quietUntil = at + quietMs;
  }

  /** Who had no device before has one now, and confirms. */
  enrol(): Phone {
    if (this.#intent === 'has-no-device') this.#intent = 'confirms';
    const phone = new Phone(this.#site, this.userId, `Phone ${this.phones.length + 1}`);
    this.phones.push(phone);
    return phone;
  }

  remove(deviceId: string): boolean {
    const left = this.phones.filter((phone) => phone.deviceId !== deviceId);
    const isRemoved = left.length < this.phones.length;
    this.phones = left;
    return isRemoved;
  }

  /** More devices than these stay, but for a user who has none. */
  #provide(count: number): void {
    if (count === 0) this.phones = [];
    while (this.phones.length < count)
      this.phones.push(new Phone(this.#site, this.userId, `Phone ${this.phones.length + 1}`));
  }
}
