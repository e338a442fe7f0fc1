import { bytesOf, decode, hashOf, partsOf } from './decode.js';

/** @import { PublicJwk } from '#device' */

/**
 * What the bank knows by itself: what it asked, and whom.
 *
 * @typedef {{ tenantId: string, userId: string, deviceId: string, nonce: string, message: string,
 *   details?: readonly { type: string }[], baseUrl: string, status: 'confirmed' | 'denied', deviceKey: PublicJwk,
 *   context: string }} Asked
 */
/** @typedef {{ name: string, text: string, passed: boolean }} Check */

/**
 * Every check of the evidence, each by itself, so that one can see what a change breaks. It needs the browser's cryptography
 * alone: nobody is asked.
 *
 * @param {string} jws
 * @param {Asked} asked
 * @returns {Promise<Check[]>}
 */
export async function checksOf(jws, asked) {
  const { header = {}, claims = {} } = decode(jws) ?? {};
  const decision = asked.status === 'confirmed' ? 'confirm' : 'deny';
  const challengeId = await hashOf(`${asked.tenantId}\n${asked.nonce}`);
  const messageHash = await hashOf(asked.message);
  const details = asked.details === undefined ? [] : [await detailsCheck(claims, asked.details)];
  return [
    check('It is a signed answer', 'ES256, and used for answers only', [
      [header['alg'], 'ES256'],
      [header['typ'], 'omi-response+jws'],
    ]),
    {
      name: 'The signature is the phone’s',
      text: 'Only the key inside the phone can make it',
      passed: await isSigned(jws, asked.deviceKey),
    },
    check('It names the phone’s key', 'No other key can take its place', [
      [claims['jkt'], await thumbprintOf(asked.deviceKey)],
    ]),
    check('It comes from the phone that was asked', 'Not from another phone of the user', [
      [claims['iss'], asked.deviceId],
      [header['kid'], asked.deviceId],
    ]),
    check('It is this user’s', 'The one who is signed in', [[claims['sub'], asked.userId]]),
    check('It is for this bank', 'No other customer of OMI can use it', [
      [claims['tid'], asked.tenantId],
      [claims['aud'], asked.baseUrl],
    ]),
    check('It answers this question', 'An old answer does not fit a new question', [
      [claims['challengeId'], challengeId],
    ]),
    check('It is about exactly these words', `SHA-256 of “${asked.message}”`, [
      [claims['messageHash'], messageHash],
    ]),
    check('It includes what else the phone showed', 'Who asked, for what, and from where', [
      [claims['contextHash'], await hashOf(asked.context)],
    ]),
    ...details,
    check(`The user decided: ${decision}`, decision === 'confirm' ? 'Yes, do it' : 'No, do not', [
      [claims['decision'], decision],
    ]),
  ];
}

/**
 * @param {string} name
 * @param {string} text
 * @param {[unknown, string][]} pairs what it says, and what it must say
 * @returns {Check}
 */
const check = (name, text, pairs) => ({
  name,
  text,
  passed: pairs.every(([actual, expected]) => actual === expected),
});

/**
 * @param {Record<string, unknown>} claims
 * @param {readonly unknown[]} details
 */
const detailsCheck = async (claims, details) =>
  check('It has exactly these details', 'SHA-256 of all of them', [
    [claims['detailsHash'], await hashOf(JSON.stringify(details))],
  ]);

/**
 * RFC 7638
 *
 * @param {PublicJwk} key
 */
const thumbprintOf = async ({ crv, kty, x, y }) => await hashOf(JSON.stringify({ crv, kty, x, y }));

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };

/**
 * @param {string} jws
 * @param {PublicJwk} deviceKey
 */
async function isSigned(jws, { kty, crv, x, y }) {
  const { header, claims, signature } = partsOf(jws);
  try {
    const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, algorithm, false, ['verify']);
    const signed = new TextEncoder().encode(`${header}.${claims}`);
    return await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, bytesOf(signature), signed);
  } catch {
    return false;
  }
}
