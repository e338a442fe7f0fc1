import { newNonce, type Omi, OmiError, type Store } from '#website';
import { withPayment } from './account.ts';
import { type AccountStore, changeAccount, readAccount } from './account-store.ts';
import { checkBalance, readPayment } from './actions.ts';
import type { Beginnings } from './beginnings.ts';
import type { Fields } from './body.ts';
import { Problem, refusedField } from './problem.ts';
import type { BankSession } from './sessions.ts';
import { money } from './text.ts';
import { userOf, users } from './users.ts';

/** A payment that a second person must confirm, as the bank keeps it until it is carried out. */
type Kept = {
  owner: string;
  payment: { to: string; amount: number };
  asked: Pick<Parameters<Omi['requestGroup']>[0], 'members' | 'required' | 'message' | 'details'> & {
    nonce: string;
  };
};

type Parts = {
  omi: Omi;
  accounts: AccountStore;
  store: Store;
  beginnings: Beginnings;
  now: () => number;
};

/** Longer than anybody is asked. */
const keptSeconds = 900;

const keyOf = (id: string): string => `shared-payment:${id}`;

/** On the Internet the other customers are the visitor's own as well. */
const visitorOf = (userId: string): string => /\.[^~]*/.exec(userId)?.[0] ?? '';

/** Payments above the limit: the payer and one of the bank's other customers must confirm (four eyes). */
export class SharedPayments {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Asks the payer and the others.
   *
   * @throws {Problem} if the payment needs nobody else, is not possible, or the payer or all others have no phone
   */
  async ask({ userId }: BankSession, fields: Fields) {
    const { omi, accounts, store } = this.#parts;
    const payment = readPayment(fields);
    const { account } = await readAccount(accounts, userId);
    checkBalance(account, payment);
    if (payment.amount <= account.limit)
      throw refusedField('amount', `${money(payment.amount)} is within your limit: confirm it yourself.`);
    if ((await omi.devices(userId)).length === 0) throw payerWithoutPhone(userId);
    const asked = await this.#question(userId, payment);
    const group = await omi.requestGroup(asked).catch((error: unknown) => {
      throw error instanceof OmiError && error.code === 'group-not-reachable' ? nobody() : error;
    });
    const id = newNonce();
    const kept: Kept = { owner: userId, payment, asked };
    await store.put(keyOf(id), JSON.stringify(kept), { ttlSeconds: keptSeconds });
    return { id, ...viewOf(group) };
  }

  /**
   * How it stands. The first look after the decision carries the payment out.
   *
   * @returns undefined if this user has asked for no such payment, or it was carried out
   * @throws {Problem} if it was decided without the payer, or is not possible any more
   */
  async look({ userId }: BankSession, id: string) {
    const { omi, accounts, store, now } = this.#parts;
    const text = await store.get(keyOf(id));
    const kept = typeof text === 'string' ? (JSON.parse(text) as Kept) : undefined;
    if (kept?.owner !== userId) return undefined;
    const { asked, payment } = kept;
    const group = await omi.group(asked.nonce);
    if (group.status !== 'approved') return viewOf(group);
    const proved = await omi.verifyGroup(group, asked);
    if ((await store.take(keyOf(id))) === undefined) return undefined;
    if (!proved.has(userId)) throw withoutPayer();
    const at = new Date(now()).toISOString();
    await changeAccount(accounts, userId, (account) => {
      checkBalance(account, payment);
      return withPayment(account, { at, ...payment });
    });
    return viewOf(group);
  }

  async #question(userId: string, { to, amount }: Kept['payment']): Promise<Kept['asked']> {
    const payer = userOf(userId);
    const others = users.filter((user) => user.userId !== payer?.userId);
    const seconds = await Promise.all(
      others.map(async (other) => await this.#parts.beginnings.current(other.userId + visitorOf(userId))),
    );
    const from = payer?.name ?? '';
    return {
      ...{ members: [userId, ...seconds], required: 2, nonce: newNonce() },
      message: `Let ${from} pay ${money(amount)} to ${to}?`,
      details: [{ type: 'shared-payment', from, to, amount: (amount / 100).toFixed(2), currency: 'EUR' }],
    };
  }
}

type Group = Awaited<ReturnType<Omi['group']>>;

const viewOf = ({ status, required, votes }: Group) => ({
  status,
  required,
  votes: votes.map((vote) => ({ name: userOf(vote.userId)?.name ?? '', status: vote.status })),
});

const withoutPayer = (): Problem =>
  new Problem(
    'Nothing was paid. The two others have agreed, but you have not confirmed it on your own phone. ' +
      'Ask again, and confirm it on your phone before both of them do.',
    { status: 409, code: 'payer-not-among-them' },
  );

/** Without the payer, the two others could only approve a payment that is not carried out. */
const payerWithoutPhone = (userId: string): Problem =>
  new Problem(
    `${userOf(userId)?.name ?? ''} pays, so must confirm it, but has no phone. Connect a phone, and ask again.`,
    { status: 409, code: 'payer-without-phone' },
  );

const nobody = (): Problem =>
  new Problem(
    'None of the other customers has a phone. Sign out, sign in as one of them, connect a phone, and come back.',
    { status: 409, code: 'nobody-reachable' },
  );
