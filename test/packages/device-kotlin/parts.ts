/** The parts of the package that need no service: JSON, links, signatures and keys. */
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { calculateJwkThumbprint } from 'jose';
import type { KotlinProgram } from './kotlin.ts';

type Kept = { pem: string; publicKey: { kty: string; x: string; y: string }; thumbprint: string };

export function hasParts(program: () => KotlinProgram): void {
  describe('JSON', () => {
    const texts = [
      ...['null', 'true', ' [ ] ', '{}', '"é€😀"', '[1,[2,{"a":[]}]]', '{"a":{"b":"c"},"d":-0.5}', '1e3'],
      ...['"\\u00e9\\ud83d\\ude00\\n\\"\\\\\\/"', '"\\u0001\\u001f"', '"  "', '9007199254740991', '1E-2'],
      ...['{"__proto__":1,"":2}', '\t[\r\n1 , 2]'],
    ];
    test.each(texts)('is read and written: %s', async (text) => {
      const written = await program().result<string>('json', { text });
      expect(JSON.parse(written)).toEqual(JSON.parse(text));
    });

    const invalid = [
      ...['', ' ', 'nul', 'True', '01', '1.', '.5', '+1', '-', '1e', 'NaN', "'a'", '"a', '"\t"', '"\\x"'],
      ...['"\\u12g4"', '"\\u12"', '"\\', '[1,]', '[,1]', '[1 2]', '[', ']', '{', '{"a"}', '{"a":}', '{a:1}'],
      ...[
        '{"a":1,}',
        '{"a":1 "b":2}',
        '{"a":1,"a":2}',
        '1 2',
        '[]]',
        '// x',
        '"\\ud800"',
        '"\\udc00\\ud800"',
      ],
      ...[
        '\u00a01',
        '\ufeff1',
        '['.repeat(65) + ']'.repeat(65),
        '['.repeat(200_000),
        '{"a":'.repeat(100_000),
      ],
    ];
    test.each(invalid.map((text) => [text.slice(0, 20), text]))('is refused: %s', async (_, text) => {
      expect(await program().codeOf('json', { text })).toBe('json');
    });
  });

  const api = 'https://api.example.com';
  const linkTo = (other: string, code = 'x'): string =>
    `https://app.example.com/enrol#v=1&api=${encodeURIComponent(other)}&code=${code}`;

  describe('a link', () => {
    test.each([
      ...[
        'https://omi.bank.example/prod',
        'https://omi.example:8443',
        'http://[::1]:8081',
        'https://10.0.0.1',
      ],
      'https://xn--mnchen-3ya.example/a-b/v1.0',
    ])('leads to %s', async (baseUrl) => {
      const text = `  ${linkTo(baseUrl)}\n`;
      expect(await program().result('scan', { text })).toEqual({ baseUrl, code: 'x' });
    });

    const otherBases = [
      ...[
        `${api}/`,
        `${api}?x=1`,
        `${api}#x`,
        `${api}/a/../b`,
        `${api}/.`,
        `${api}//a`,
        `${api}:443`,
        ` ${api}`,
      ],
      ...[
        'https://api.example.com:x@evil.example',
        'https://bank.example\\@evil.example',
        'https://аpi.example',
      ],
      ...[
        'http://localhost.evil.example',
        'http://localhost@evil.example',
        'HTTPS://api.example.com',
        'https://A.b',
      ],
      ...[
        'javascript:alert(1)',
        '/',
        'https://',
        'https://1',
        'https://0x7f.1',
        'https://10.0.0.01',
        'http://x.y:80',
      ],
      ...[
        'https://a..b',
        'https://-a.b',
        'https://a.b:',
        'https://a.b:0443',
        'https://a.b/%2e',
        'file:///etc',
      ],
    ];
    test.each(otherBases)('is refused if it leads to %s', async (other) => {
      expect(await program().codeOf('scan', { text: linkTo(other) })).toBe('invalid-link');
    });

    const invalid = {
      'a script': `javascript:/enrol#v=1&api=${api}&code=x`,
      'an app without TLS': linkTo(api).replace('https://app', 'http://app'),
      'two codes': `${linkTo(api)}&code=y`,
      'two base URLs': `${linkTo(api)}&api=${api}`,
      'two versions': `${linkTo(api)}&v=1`,
      'a code with a line end': linkTo(api, 'x%0d%0aX: y'),
      'a code that is too long': linkTo(api, 'x'.repeat(513)),
      'a broken escape': linkTo(api, '%z'),
      'a very long text': `${linkTo(api)}&padding=${'x'.repeat(100_000)}`,
    };
    test.each(Object.entries(invalid))('is refused: %s', async (_, text) => {
      expect(await program().codeOf('scan', { text })).toBe('invalid-link');
    });

    test.each([
      ['invalid-link', linkTo(api).replace('v=1&', '')],
      ['unsupported-link', linkTo(api).replace('v=1', 'v=01')],
      ['foreign-link', linkTo(`${api}/prod`)],
      ['accepted', linkTo(api)],
    ])('of another version or service is %s', async (code, text) => {
      expect(await program().codeOf('scan', { text, baseUrl: `${api}/` })).toBe(code);
    });
  });

  describe('a signature', () => {
    const integer = (hex: string): string => `02${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`;
    const sequence = (content: string): string =>
      `30${(content.length / 2).toString(16).padStart(2, '0')}${content}`;
    const der = (hex: string) => ({ der: Buffer.from(hex, 'hex').toString('base64url') });
    const raw = (hex: string): string => hex.padStart(64, '0');

    test.each([
      ['01', '02'],
      ['7f'.repeat(32), '11'.repeat(31)],
      [`00${'ff'.repeat(32)}`, `00${'80'.repeat(32)}`],
      ['00', '0080'],
    ])('in DER has the numbers %s and %s, with 32 bytes each', async (r, s) => {
      const made = await program().result<string>('derToRaw', der(sequence(integer(r) + integer(s))));
      expect(Buffer.from(made, 'base64url').toString('hex')).toBe(raw(r.slice(-64)) + raw(s.slice(-64)));
    });

    const good = integer('01') + integer('02');
    test.each([
      ...['', '30', '3000', sequence(integer('01')), sequence(`${good}00`), `${sequence(good)}00`],
      ...[
        `31${sequence(good).slice(2)}`,
        sequence(integer('01') + integer('ff')),
        sequence(`${integer('01')}0200`),
      ],
      ...[
        sequence(integer('01') + integer(`01${'00'.repeat(32)}`)),
        sequence('0201010205'),
        '308006020101020101',
      ],
      sequence(`${integer('01')}030102`),
    ])('that is not DER of two numbers is refused: %s', async (hex) => {
      expect(await program().codeOf('derToRaw', der(hex))).toBe('invalid-key');
    });
  });

  describe('a key', () => {
    test('is kept as PKCS#8, and is the same one afterwards', async () => {
      const { pem, publicKey, thumbprint } = await program().result<Kept>('key', { key: 'kept' });
      expect(createPrivateKey(pem).export({ format: 'jwk' })).toMatchObject(publicKey);
      expect(createPublicKey(pem.slice(pem.indexOf('-----BEGIN PUBLIC'))).export({ format: 'jwk' })).toEqual(
        publicKey,
      );
      expect(thumbprint).toBe(await calculateJwkThumbprint(publicKey));
      expect(await program().result('key', { key: 'again', pem })).toEqual({ pem, publicKey, thumbprint });
    });

    test('differs each time', async () => {
      const [one, two] = [
        await program().result<Kept>('key', { key: 'a' }),
        await program().result<Kept>('key', { key: 'b' }),
      ];
      expect(one.thumbprint).not.toBe(two.thumbprint);
    });

    test('of another form is refused', async () => {
      const { pem } = await program().result<Kept>('key', { key: 'whole' });
      const { pem: other } = await program().result<Kept>('key', { key: 'other' });
      const half = pem.slice(0, pem.indexOf('-----BEGIN PUBLIC'));
      const mixed = half + other.slice(other.indexOf('-----BEGIN PUBLIC'));
      for (const text of ['', 'x', half, pem.replace('\nM', '\n!'), mixed])
        expect(await program().codeOf('key', { key: 'bad', pem: text })).toBe('invalid-key');
    });
  });

  test('the codes are those of @omi/device, without what only browsers meet', () => {
    const codesIn = (file: string, form: RegExp): string[] =>
      [...readFileSync(file, 'utf8').matchAll(form)].map(([, code = '']) => code).toSorted();
    const kotlin = 'packages/device-kotlin/src/main/kotlin/omi/device/DeviceException.kt';
    const known = codesIn('packages/device/src/device-error.ts', /^ {2}'?([a-z-]+)'?:\s+['"]/gm);
    expect(known.length).toBeGreaterThan(20);
    expect(codesIn(kotlin, /^ {4}"([a-z-]+)" to/gm)).toEqual(
      known.filter((code) => code !== 'no-web-crypto' && code !== 'invalid-subscription'),
    );
  });

  test('the WebAuthn challenge of a registration is the hash of the code', async () => {
    const challenge = createHash('sha256').update('one-time').digest('base64url');
    expect(await program().result('registrationChallenge', { code: 'one-time' })).toBe(challenge);
  });
}
