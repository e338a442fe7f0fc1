/** @typedef {{ userId: string, name: string, about: string }} User */
/** @typedef {{ at: string, to: string, amount: number }} Payment */
/** @typedef {{ deviceId: string, name: string, platform: string, status: string, enrolledAt: string, lastSeenAt?: string }} BankDevice */
/**
 * @typedef {{ user: Pick<User, 'userId' | 'name'>, balance: number, address: string, limit: number, payments: Payment[],
 *   devices: BankDevice[], check?: string }} Account
 */
/** @typedef {{ baseUrl: string, appUrl: string, exportsUrl?: string, tenantId: string, tenantName: string, hasEvents: boolean, hasOwnUsers: boolean }} Config */

/** Why the bank refused a call. `code` is for programs, `message` for people. */
export class BankError extends Error {
  /**
   * @param {string} code
   * @param {string} detail
   * @param {number} [status]
   */
  constructor(code, detail, status) {
    super(detail);
    this.name = 'BankError';
    this.code = code;
    this.status = status;
  }
}

export const config = async () => /** @type {Config} */ (await call('/config.json'));

/** Who can sign in, and who is signed in. */
export const session = async () =>
  /** @type {{ users: User[], account?: Account }} */ (await call('/bank/session'));

/** @param {string} userId */
export const signIn = async (userId) => await call('/bank/sign-in', json({ userId }));

export const signOut = async () => await call('/bank/sign-out', { method: 'POST' });

/** The signed-in user begins anew: without phones, payments, and limits that were reached. */
export const startAgain = async () => await call('/bank/start-again', { method: 'POST' });

/** @typedef {{ status: string, required: number, votes: { name: string, status: string }[] }} SharedPayment */

/**
 * Asks the payer and the other customers to confirm a payment.
 *
 * @param {{ to: string, amount: string }} payment
 */
export const sharePayment = async (payment) =>
  /** @type {SharedPayment & { id: string }} */ (await call('/bank/shared-payments', json(payment)));

/** @param {string} id */
export const sharedPayment = async (id) =>
  /** @type {SharedPayment & { account: Account }} */ (
    await call(`/bank/shared-payments/${encodeURIComponent(id)}`)
  );

/** @param {string} deviceId */
export const lostDevice = async (deviceId) =>
  /** @type {Account} */ (await call('/bank/lost-device', json({ deviceId })));

/**
 * Sends a form of the page, with the confirmation that its element has put into it.
 *
 * @param {HTMLFormElement} form
 * @returns {Promise<Account>}
 */
export async function send(form) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value);
  return /** @type {Account} */ (await call(form.getAttribute('action') ?? '/', { method: 'POST', body }));
}

/**
 * @param {unknown} body
 * @returns {RequestInit}
 */
const json = (body) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/**
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<unknown>}
 */
async function call(path, options) {
  const response = await fetch(path, { cache: 'no-store', ...options }).catch(() => {
    throw new BankError('network', 'The bank did not answer. Check that it still runs.');
  });
  if (response.status === 204) return undefined;
  /** @type {unknown} */
  const body = await response.json().catch(() => undefined);
  if (response.ok) return body;
  const { code, detail } = /** @type {{ code?: string, detail?: string }} */ (body ?? {});
  const { status } = response;
  throw new BankError(code ?? `status-${status}`, detail ?? `The bank answered ${status}.`, status);
}
