import { EvidenceError, verifyEvidence } from '#website';

/** @import { OmiKeys } from '#website' */
/** @import { Evidence } from './collect.js' */

/** OMI's published keys, which sign what it vouches for. The bank passes them on. */
async function serviceKeys() {
  const response = await fetch('/bank/omi-keys');
  /** @type {unknown} */
  const keys = await response.json();
  return /** @type {OmiKeys} */ (keys);
}

/** @typedef {{ verified: true } | { verified: false, code: string, detail: string }} Verdict */

/**
 * What the website's own package says to the evidence: the same check that the bank's server makes before it acts.
 *
 * @param {Evidence} evidence
 * @param {{ jws: string, message: string }} shown what is on the page, changed or not
 * @returns {Promise<Verdict>}
 */
export async function verdictOf({ confirmation, asked }, { jws, message }) {
  try {
    const keys = await serviceKeys();
    await verifyEvidence({ ...confirmation, evidence: jws }, { ...asked, message, keys });
    return { verified: true };
  } catch (error) {
    const code = error instanceof EvidenceError ? error.code : 'unexpected';
    return { verified: false, code, detail: error instanceof Error ? error.message : String(error) };
  }
}
