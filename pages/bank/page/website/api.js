/** @typedef {{ userId: string, name: string, about: string }} User */
/** @typedef {{ at: string, to: string, amount: number }} Payment */
/** @typedef {{ deviceId: string, name: string, platform: string, status: string }} BankDevice */
/**
 * @typedef {{ user: Pick<User, 'userId' | 'name'>, balance: number, currency: string, address: string, limit: number, payments: Payment[],
 *   devices: BankDevice[], check?: string }} Account
 */
/** @typedef {{ baseUrl: string, appUrl: string, exportsUrl?: string, tenantId: string, tenantName: string, hasEvents: boolean }} Config */

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

export const users = async () => /** @type {{ users: User[] }} */ (await call('/bank/users')).users;

/** @param {string} userId */
export const signIn = async (userId) => await call('/bank/sign-in', json({ userId }));

export const signOut = async () => await call('/bank/sign-out', { method: 'POST' });

export const account = async () => /** @type {Account} */ (await call('/bank/account'));

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
