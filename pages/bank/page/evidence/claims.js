/** What each member of the evidence means, in plain words. */

/** @type {Record<string, string>} */
const headerMeanings = {
  alg: 'how it is signed: a P-256 key with SHA-256',
  typ: 'what it is: an answer of a device, and nothing else',
  kid: 'whose key: the id of the phone',
};

/** @type {Record<string, string>} */
const claimMeanings = {
  iat: 'when the phone signed',
  jti: 'a number used once, so no two answers are equal',
  iss: 'who signs: the phone',
  tid: 'for whom: the bank, as a customer of OMI',
  sub: 'who decided: the user',
  jkt: 'which key signs: a hash of the phone’s public key, so that no other key can take its place',
  aud: 'where it counts: this OMI service',
  challengeId: 'which question: a hash of bank and one-time number',
  messageHash: 'which words: a hash of the message that the phone showed',
  contextHash: 'who asked, for what and from where: a hash of the rest that the phone showed',
  detailsHash: 'which details: a hash of all that the phone showed',
  decision: 'what the user decided',
  reason: 'why not',
  number: 'the number that the user took over from the website',
  userVerification: 'fingerprint, face or PIN: what the passkey signed',
};

/**
 * @typedef {{ name: string, value: string, meaning: string }} Claim
 */

/** @param {Record<string, unknown>} header */
export const headerRows = (header) => rows(header, headerMeanings);

/** @param {Record<string, unknown>} claims */
export const claimRows = (claims) => rows(claims, claimMeanings);

/**
 * @param {Record<string, unknown>} members
 * @param {Record<string, string>} meanings
 * @returns {Claim[]}
 */
const rows = (members, meanings) =>
  Object.entries(members).map(([name, value]) => ({
    name,
    value: textOf(name, value),
    meaning: Object.hasOwn(meanings, name) ? (meanings[name] ?? '') : '',
  }));

/**
 * @param {string} name
 * @param {unknown} value
 */
function textOf(name, value) {
  if (name === 'iat' && typeof value === 'number')
    return `${value} (${new Date(value * 1000).toISOString()})`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
