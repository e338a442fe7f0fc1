import {
  Device,
  DeviceError,
  preview,
  WebCryptoKey,
  type EnrolmentLink,
  type EnrolmentPreview,
} from '#device';
import type { BrowserAccounts } from './accounts.ts';
import { knownConfig } from './config.ts';
import { namedBy } from './names.ts';
import { createPasskey, forgetPasskey } from './passkeys/create.ts';
import type { Account, Enrolment, Passkey, PasskeyOutcome, PendingEnrolment } from './platform.ts';
import { subscriptionId } from './push/subscription.ts';
import type { AccountStore } from './storage/account-store.ts';
import type { Database } from './storage/database.ts';
import { deleteValue, readValue, writeValue, type StoredEnrolment } from './storage/schema.ts';

const valueName = 'enrolment';

/** With these the code is of no use any more. All other failures may pass when the same call is repeated. */
const finalFailures = ['enrolment-not-found', 'enrolment-code-used', 'enrolment-code-expired'];

type Options = {
  database: Database;
  store: AccountStore;
  accounts: BrowserAccounts;
  /** The browser's push subscription, if there is one. */
  subscription: () => Promise<PushSubscriptionJSON | undefined>;
};

export class BrowserEnrolment implements Enrolment {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  async pending(): Promise<PendingEnrolment | undefined> {
    const stored = await readValue<StoredEnrolment>(this.#options.database, valueName);
    if (stored === undefined) return undefined;
    const { keyPair, publicKey, ...pending } = stored;
    return { ...pending, key: new WebCryptoKey(keyPair, publicKey) };
  }

  /** A pending code was previewed before. It may be used up by this very device, if the answer was lost. */
  async preview(link: EnrolmentLink): Promise<EnrolmentPreview> {
    const before = await this.pending();
    return isOf(link, before) ? before.preview : await preview(link, { endpoint: location.origin });
  }

  async begin(link: EnrolmentLink, name: string, shown: EnrolmentPreview): Promise<PendingEnrolment> {
    const before = await this.pending();
    const isSame = isOf(link, before);
    if (before && !isSame) await this.abandon();
    const pending = isSame ? { ...before, name } : await newEnrolment(link, name, shown);
    await this.#store(pending);
    return pending;
  }

  async addPasskey({ link }: PendingEnrolment): Promise<PasskeyOutcome> {
    const pending = await this.#current(link);
    if (pending.passkey) return { outcome: 'created' };
    const config = await knownConfig(this.#options.database);
    const created = await createPasskey(pending, config?.brand?.name ?? 'OMI');
    if (created.outcome === 'created') await this.#store({ ...pending, passkey: created.passkey });
    return { outcome: created.outcome };
  }

  async complete({ link, key }: PendingEnrolment): Promise<Account> {
    const completed = (await this.#options.store.list()).find((account) => hasKey(account, key));
    if (completed) return completed;
    const pending = await this.#current(link);
    try {
      return await this.#enrol(pending);
    } catch (error) {
      if (error instanceof DeviceError && finalFailures.includes(error.code)) await this.abandon();
      throw error;
    }
  }

  async abandon(): Promise<void> {
    const pending = await this.pending();
    await deleteValue(this.#options.database, valueName);
    if (pending?.passkey) await forgetPasskey(passkeyOf(pending.passkey));
  }

  async #enrol({ link, preview: shown, name, key, passkey }: PendingEnrolment): Promise<Account> {
    const subscription = await this.#options.subscription();
    const description = {
      name,
      platform: 'web',
      ...(subscription && { subscription }),
      ...(passkey && { passkey: passkey.registration }),
    } as const;
    const { identity } = await Device.enrol(link, description, { key, endpoint: location.origin });
    const { tenant = shown.tenant, account: label, ...ids } = identity;
    const account: Account = {
      ...ids,
      ...namedBy({ tenant, ...(label !== undefined && { account: label }) }),
      name,
      enrolledAt: Date.now(),
      key,
      ...(passkey && { passkey: passkeyOf(passkey) }),
    };
    await this.#options.store.add(account, valueName, subscription && subscriptionId(subscription));
    await this.#options.accounts.changed();
    return account;
  }

  async #current(link: EnrolmentLink): Promise<PendingEnrolment> {
    const pending = await this.pending();
    if (pending?.link.code !== link.code) throw new DeviceError('enrolment-not-found');
    return pending;
  }

  async #store({ key, ...pending }: PendingEnrolment): Promise<void> {
    const stored: StoredEnrolment = { ...pending, keyPair: key.keyPair, publicKey: key.publicKey };
    await writeValue(this.#options.database, valueName, stored);
  }
}

const isOf = (link: EnrolmentLink, pending: PendingEnrolment | undefined): pending is PendingEnrolment =>
  pending?.link.code === link.code && pending.link.baseUrl === link.baseUrl;

const newEnrolment = async (
  link: EnrolmentLink,
  name: string,
  shown: EnrolmentPreview,
): Promise<PendingEnrolment> => ({
  link,
  preview: shown,
  name,
  key: await WebCryptoKey.generate(),
  begunAt: Date.now(),
  passkeyHandle: crypto.getRandomValues(new Uint8Array(32)),
});

const passkeyOf = ({ registration, rpId }: NonNullable<PendingEnrolment['passkey']>): Passkey => ({
  id: registration.id,
  rpId,
});

const hasKey = (account: Account, { publicKey }: WebCryptoKey): boolean =>
  account.key.publicKey.x === publicKey.x && account.key.publicKey.y === publicKey.y;
