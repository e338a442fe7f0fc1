import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { coseKey, flag, SoftwareAuthenticator } from '../../../../client/device/software-authenticator.ts';
import { readAuthenticatorData } from '../../../../core/devices/passkeys/authenticator-data.ts';

const { UP, UV, BE, BS, AT, ED } = flag;
const { publicKey } = new SoftwareAuthenticator({ rpId: 'example.com', origin: 'https://example.com' });

type Parts = { flags: number; counter: number; credential?: Buffer; extensions?: Buffer };

function dataOf({ flags, counter, credential, extensions = Buffer.alloc(0) }: Parts): Buffer {
  const head = Buffer.alloc(37);
  head.writeUInt8(flags, 32);
  head.writeUInt32BE(counter, 33);
  if (!credential) return Buffer.concat([head, extensions]);
  const before = Buffer.alloc(18);
  before.writeUInt16BE(credential.length, 16);
  return Buffer.concat([head, before, credential, coseKey(publicKey), extensions]);
}

/** CTAP2's canonical CBOR of what extensions answer. */
function headOf(major: number, argument: number): Buffer {
  const first = major << 5;
  if (argument < 24) return Buffer.from([first | argument]);
  if (argument < 256) return Buffer.from([first | 24, argument]);
  const head = Buffer.alloc(3);
  head.writeUInt8(first | 25);
  head.writeUInt16BE(argument, 1);
  return head;
}
const textItem = (text: string): Buffer =>
  Buffer.concat([headOf(3, Buffer.byteLength(text)), Buffer.from(text)]);
const mapItem = (members: [string, Buffer][]): Buffer =>
  Buffer.concat([headOf(5, members.length), ...members.flatMap(([name, value]) => [textItem(name), value])]);

const item = fc.oneof(
  fc.nat(65_535).map((value) => headOf(0, value)),
  fc.nat(65_535).map((value) => headOf(1, value)),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.concat([headOf(2, bytes.length), bytes])),
  fc.string({ maxLength: 40 }).map(textItem),
  fc.constantFrom(...[0xf4, 0xf5, 0xf6].map((byte) => Buffer.from([byte]))),
);
const list = fc
  .array(item, { maxLength: 30 })
  .map((items) => Buffer.concat([headOf(4, items.length), ...items]));
const extensions = fc
  .array(fc.tuple(fc.string({ maxLength: 30 }), fc.oneof(item, list)), { maxLength: 30 })
  .map(mapItem);

const counter = fc.nat(0xffffffff);
const credential = fc.uint8Array({ minLength: 1, maxLength: 1023 }).map((bytes) => Buffer.from(bytes));

describe('authenticator data', () => {
  test('has credential id and key in a registration', () => {
    fc.assert(
      fc.property(counter, credential, fc.option(extensions), (count, id, outputs) => {
        const flags = UP | UV | AT | (outputs ? ED : 0);
        const bytes = dataOf({
          flags,
          counter: count,
          credential: id,
          ...(outputs && { extensions: outputs }),
        });
        expect(readAuthenticatorData(bytes)).toMatchObject({
          counter: count,
          userPresent: true,
          userVerified: true,
          backupEligible: false,
          credential: { id, key: publicKey.export({ format: 'jwk' }) },
        });
      }),
    );
  });

  test('has neither in an assertion', () => {
    fc.assert(
      fc.property(counter, fc.boolean(), fc.boolean(), fc.boolean(), (count, UPs, UVs, synced) => {
        const flags = (UPs ? UP : 0) | (UVs ? UV : 0) | (synced ? BE | BS : 0);
        const read = readAuthenticatorData(dataOf({ flags, counter: count }));
        const expected = { counter: count, userPresent: UPs, userVerified: UVs, backupEligible: synced };
        expect(read).toMatchObject(expected);
        expect(read).not.toHaveProperty('credential');
      }),
    );
  });

  test('ignores reserved flags', () => {
    const reserved = 0x02 | 0x20;
    expect(readAuthenticatorData(dataOf({ flags: reserved, counter: 1 }))).toEqual({
      rpIdHash: Buffer.alloc(32),
      counter: 1,
      userPresent: false,
      userVerified: false,
      backupEligible: false,
    });
  });

  test.each([1, 1023])('may have a credential id of %d bytes', (length) => {
    const id = Buffer.alloc(length, 1);
    const read = readAuthenticatorData(dataOf({ flags: UP | UV | AT, counter: 0, credential: id }));
    expect(read).toMatchObject({ credential: { id } });
  });

  test('is refused with one byte less or more', () => {
    fc.assert(
      fc.property(credential, fc.option(extensions), fc.nat(255), (id, outputs, byte) => {
        const flags = UP | UV | AT | (outputs ? ED : 0);
        const bytes = dataOf({ flags, counter: 1, credential: id, ...(outputs && { extensions: outputs }) });
        for (const changed of [bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.from([byte])])])
          expect(() => readAuthenticatorData(changed)).toThrow(SyntaxError);
      }),
    );
  });

  test('is read or refused, whatever its bytes', () => {
    const flags = fc.constantFrom(UP | UV, UP | UV | AT, UP | UV | ED, UP | UV | AT | ED, 0xff);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), flags, (random, value) => {
        const bytes = Buffer.from(random);
        if (bytes.length > 32) bytes.writeUInt8(value, 32);
        try {
          readAuthenticatorData(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxError);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['four levels', `a16161${'81'.repeat(3)}01`],
    ['the smallest argument of one byte', 'a161611818'],
    ['the smallest argument of two bytes', 'a16161190100'],
    ['the smallest argument of four bytes', 'a161611a00010000'],
  ])('may have extensions with %s', (_, hex) => {
    const bytes = dataOf({ flags: UP | UV | ED, counter: 7, extensions: Buffer.from(hex, 'hex') });
    expect(readAuthenticatorData(bytes)).toMatchObject({ counter: 7, userVerified: true });
  });

  test.each([
    ['a list', '80'],
    ['a text', '60'],
    ['a map without an end', 'bf6161f5ff'],
    ['a text without an end', 'a17f6161ff01'],
    ['a length in a longer form than necessary', 'a1780161f5'],
    ['a number in a longer form than necessary', 'a161611817'],
    ['a number of two bytes in a longer form than necessary', 'a161611900ff'],
    ['a number of four bytes in a longer form than necessary', 'a161611a0000ffff'],
    ['a tag', 'a16161c001'],
    ['a tag of nothing', 'a16161d4'],
    ['a number with a fraction', 'a16161f93c00'],
    ['a simple value of two bytes', 'a16161f8ff'],
    ['undefined', 'a16161f7'],
    ['a length of eight bytes', 'a161615b0000000100000000'],
    ['a length beyond the data', 'a161615affffffff'],
    ['four billion members', 'baffffffff'],
    ['too many levels', `a16161${'81'.repeat(4)}01`],
    ['a map with one member of two', 'a26161f5'],
    ['nothing', ''],
  ])('is refused with extensions of %s', (_, hex) => {
    const bytes = dataOf({ flags: UP | UV | ED, counter: 0, extensions: Buffer.from(hex, 'hex') });
    expect(() => readAuthenticatorData(bytes)).toThrow(SyntaxError);
  });

  test.each([
    ['without alg', 'a401022001215820'],
    ['of RSA', 'a5010303390100200121582'],
    ['in another order', 'a5032601022001215820'],
  ])('is refused with a key %s', (_, prefix) => {
    const bytes = dataOf({ flags: UP | UV | AT, counter: 0, credential: Buffer.alloc(16, 1) });
    const changed = Buffer.from(bytes);
    Buffer.from(prefix, 'hex').copy(changed, 37 + 18 + 16);
    expect(() => readAuthenticatorData(changed)).toThrow(SyntaxError);
  });

  test.each([0, 1024, 65_535])('is refused with a credential id of %d bytes', (length) => {
    const credentialId = Buffer.alloc(length, 1);
    const bytes = dataOf({ flags: UP | UV | AT, counter: 0, credential: credentialId });
    expect(() => readAuthenticatorData(bytes)).toThrow('credential id');
  });
});
