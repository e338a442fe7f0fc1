import { describe, expect, test } from '@jest/globals';
import { joseSignature } from '../../../core/keys/signing-key-client.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const der = (r: string, s: string): Buffer => {
  const numbers = [r, s].map((hex) => Buffer.concat([Buffer.from([2, hex.length / 2]), bytes(hex)]));
  const content = Buffer.concat(numbers);
  return Buffer.concat([Buffer.from([0x30, content.length]), content]);
};
/** With another byte at this place. */
const changed = (signature: Buffer, place: number, byte: number): Buffer =>
  Buffer.concat([signature.subarray(0, place), Buffer.from([byte]), signature.subarray(place + 1)]);
const padded = (hex: string): string => hex.padStart(64, '0');

describe('a signature of KMS in the form of JWS', () => {
  test.each([
    ['usual length', '7f'.repeat(32), '01'.repeat(32)],
    ['a zero before a high bit', `00${'ff'.repeat(32)}`, `00${'80'.repeat(32)}`],
    ['a shorter number', '11'.repeat(31), '22'.repeat(30)],
    ['the shortest numbers', '01', '7f'],
  ])('is converted: %s', (_, r, s) => {
    const expected = [r, s].map((hex) => padded(hex.length > 64 ? hex.slice(2) : hex)).join('');
    expect(joseSignature(der(r, s)).toString('hex')).toBe(expected);
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['another type', Buffer.concat([Buffer.from([0x31]), der('01', '02').subarray(1)])],
    ['a wrong length', Buffer.concat([der('01', '02'), Buffer.from([0])])],
    ['a wrong length of the whole', changed(der('01', '02'), 1, 7)],
    ['a byte too many within the whole', bytes('300702010102010200')],
    ['a first number of another type', changed(der('01', '02'), 2, 3)],
    ['a second number of another type', changed(der('01', '02'), 5, 3)],
    ['a first number that is too long', changed(der('01', '02'), 3, 2)],
    ['a second number that is too short', changed(der('01', '0203'), 6, 1)],
    ['an empty number', der('', '02')],
    ['an empty second number', der('01', '')],
    ['a number of another curve', der('01'.repeat(48), '01'.repeat(48))],
    ['only one number', bytes('3003020101')],
  ])('is refused if it is %s', (_, signature) => {
    expect(() => joseSignature(signature)).toThrow('The signature is malformed.');
  });
});
