/** What the website's calls to OMI mean, in plain words. */

/**
 * @typedef {{ at: string, method: string, path: string, request?: unknown, status: number, answer?: unknown, ms: number }} Call
 */
/** @typedef {Call & { count: number }} ShownCall */

/** @type {readonly (readonly [string, RegExp, string])[]} */
const meanings = [
  ['POST', /^\/omi\/push\/user\//, 'Ask this user on the phone'],
  ['GET', /^\/omi\/push\/confirmation/, 'Is there an answer?'],
  ['DELETE', /^\/omi\/push\/confirmation/, 'Withdraw the question'],
  ['GET', /^\/omi\/users\/[^/]+\/devices/, 'Which phones does this user have?'],
  ['DELETE', /^\/omi\/users\/[^/]+\/devices/, 'Remove a phone'],
  ['POST', /^\/omi\/enrol\/qr/, 'Make a code for a new phone'],
  ['GET', /^\/omi\/enrol\/status/, 'Was the code scanned?'],
];

/** @param {Pick<Call, 'method' | 'path'>} call */
export const meaningOf = ({ method, path }) =>
  meanings.find(([verb, pattern]) => verb === method && pattern.test(path))?.[2] ?? 'A call to OMI';

/** @param {Pick<Call, 'status' | 'answer'>} call */
export function resultOf({ status, answer }) {
  const { status: state, code } = /** @type {{ status?: unknown, code?: unknown }} */ (answer ?? {});
  const word = typeof code === 'string' ? code : typeof state === 'string' ? state : undefined;
  return word === undefined ? String(status) : `${status} ${word}`;
}

const most = 40;

/**
 * Adds a call, newest first. A question that was asked again with the same answer counts up: polls would hide all else.
 *
 * @param {readonly ShownCall[]} calls
 * @param {Call} call
 * @returns {ShownCall[]}
 */
export function withCall(calls, call) {
  const [newest, ...older] = calls;
  const isSame =
    newest !== undefined &&
    call.method === 'GET' &&
    newest.method === call.method &&
    newest.path === call.path &&
    resultOf(newest) === resultOf(call);
  if (isSame) return [{ ...call, count: newest.count + 1 }, ...older];
  return [{ ...call, count: 1 }, ...calls].slice(0, most);
}
