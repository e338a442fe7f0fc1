import { decode, partsOf } from './decode.js';

/** @typedef {'header' | 'claims' | 'signature'} Part */
/** @typedef {{ part: Part, index: number, from: string, to: string }} Change */

/**
 * Changes one character of a part, so that header and claims can still be read: what cannot be read would fool nobody.
 *
 * @param {string} jws
 * @param {Part} part
 * @returns {{ jws: string, change: Change }}
 */
export function changeOneCharacter(jws, part) {
  const text = partsOf(jws)[part];
  // From the middle on: the last character would not do, as base64url may not use all of its bits.
  for (let index = Math.floor(text.length / 2); index < text.length - 1; index += 1)
    for (const to of characters) {
      const from = text.charAt(index);
      const changed = joined({
        ...partsOf(jws),
        [part]: `${text.slice(0, index)}${to}${text.slice(index + 1)}`,
      });
      if (to !== from && hasSameNames(changed, jws))
        return { jws: changed, change: { part, index, from, to } };
    }
  throw new Error(`No character of the ${part} can be changed`);
}

const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * @param {string} changed
 * @param {string} jws
 */
const hasSameNames = (changed, jws) => decode(changed) !== undefined && namesOf(changed) === namesOf(jws);

/** @param {string} jws */
const namesOf = (jws) => {
  const { header = {}, claims = {} } = decode(jws) ?? {};
  return JSON.stringify([Object.keys(header), Object.keys(claims)]);
};

/** @param {Record<Part, string>} parts */
const joined = ({ header, claims, signature }) => `${header}.${claims}.${signature}`;

/**
 * What a cheating bank would say that you agreed to: the same message with a larger amount or another name.
 *
 * @param {string} message
 */
export function otherMessage(message) {
  const dearer = message.replace(/\d+(?=[.,]\d\d)/, (amount) => `${amount}00`);
  return dearer === message ? `${message.replace(/\?$/, '')}, and everything else?` : dearer;
}
