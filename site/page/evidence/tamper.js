import { partsOf } from './decode.js';

/** @typedef {'header' | 'claims' | 'signature'} Part */
/** @typedef {{ part: Part, index: number, from: string, to: string }} Change */

/**
 * Changes one character in the middle of a part. Its last one would not do: base64url may not use all of its bits.
 *
 * @param {string} jws
 * @param {Part} part
 * @returns {{ jws: string, change: Change }}
 */
export function changeOneCharacter(jws, part) {
  const parts = partsOf(jws);
  const text = parts[part];
  const index = Math.floor(text.length / 2);
  const from = text.charAt(index);
  const to = nextOf(from);
  const changed = { ...parts, [part]: `${text.slice(0, index)}${to}${text.slice(index + 1)}` };
  return {
    jws: `${changed.header}.${changed.claims}.${changed.signature}`,
    change: { part, index, from, to },
  };
}

/** @param {string} character */
const nextOf = (character) => (character === 'A' ? 'B' : 'A');

/**
 * What a cheating bank would say that you agreed to: the same message with a larger amount or another name.
 *
 * @param {string} message
 */
export function otherMessage(message) {
  const dearer = message.replace(/\d+(?=[.,]\d\d)/, (amount) => `${amount}00`);
  return dearer === message ? `${message.replace(/\?$/, '')}, and everything else?` : dearer;
}
