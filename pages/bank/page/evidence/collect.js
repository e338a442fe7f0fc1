/** Finds the evidence in the calls that the website makes. */

/** @import { PublicJwk } from '#device' */
/** @import { Asked } from './checks.js' */
/** @import { Call } from '../behind/call-text.js' */

/** A confirmation as the service answers it once the user has decided. */
/** @typedef {{ tenantId: string, userId: string, deviceId: string, nonce: string, decidedAt: string, status: 'confirmed' | 'denied', context: string }} Decided */
/** @typedef {{ challengeId: string, jws: string, asked: Asked, confirmation: Decided }} Evidence */

/** Remembers what was asked, until its answer comes by. */
export class EvidenceCollector {
  /** @type {Map<string, { message: string, details?: readonly { type: string }[] }>} */
  #asked = new Map();
  /** @type {Set<string>} */
  #seen = new Set();

  /**
   * @param {Call} call
   * @param {string} baseUrl
   * @returns {Evidence | undefined} new evidence
   */
  take({ request, answer }, baseUrl) {
    if (!isRecord(answer) || typeof answer['challengeId'] !== 'string') return undefined;
    const { challengeId } = answer;
    if (isRecord(request) && typeof request['message'] === 'string')
      this.#asked.set(challengeId, { message: request['message'], ...detailsOf(request) });
    const asked = this.#asked.get(challengeId);
    const { evidence, deviceKey, status } = answer;
    if (!asked || typeof evidence !== 'string' || !isRecord(deviceKey) || this.#seen.has(challengeId))
      return undefined;
    if (status !== 'confirmed' && status !== 'denied') return undefined;
    this.#seen.add(challengeId);
    const confirmation = /** @type {Decided} */ (/** @type {unknown} */ (answer));
    const { tenantId, userId, deviceId, nonce, context } = confirmation;
    const key = /** @type {PublicJwk} */ (deviceKey);
    const ids = { tenantId, userId, deviceId, nonce, baseUrl };
    const known = { ...ids, context, status: confirmation.status, deviceKey: key };
    return { challengeId, jws: evidence, confirmation, asked: { ...asked, ...known } };
  }
}

/** @param {Record<string, unknown>} request */
const detailsOf = ({ authorizationDetails }) =>
  Array.isArray(authorizationDetails)
    ? { details: /** @type {readonly { type: string }[]} */ (authorizationDetails) }
    : {};

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
