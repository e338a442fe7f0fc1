/** Faults that the service finds in every kind of message. */
import { derOf, mirrored } from './signatures.ts';
import { without } from './json.ts';
import { deviceKey, otherKey, p384Key, publicKeyAsSecret, rsaKey } from './keys.ts';
import { now, thumbprintOf, uuidOf } from './story.ts';
import { clockSkew, invalidSignature, type Draft } from './vector.ts';

type Change = Partial<Omit<Draft, 'name' | 'expected'>>;

/** A good message, from which each fault differs in one thing. */
export type Good = Pick<Draft, 'header' | 'claims' | 'given' | 'expected'> & {
  /** A type of message that is not its own. */
  otherTyp: string;
  /** Where the message is: it decides how a message that is too long is refused. */
  jwsIn: 'body' | 'header';
};

export function commonVectors(good: Good): Draft[] {
  return [...accepted(good), ...refusedTimes(good), ...refused(good)];
}

const draft = (good: Good, name: string, change: Change, expected: Draft['expected']): Draft => ({
  name,
  key: deviceKey,
  header: good.header,
  claims: good.claims,
  ...(good.given && { given: good.given }),
  ...change,
  expected,
});

const withClaims = ({ claims }: Good, others: Draft['claims']): Change => ({
  claims: { ...claims, ...others },
});
const withHeader = ({ header }: Good, others: Draft['header']): Change => ({
  header: { ...header, ...others },
});

function accepted(good: Good): Draft[] {
  const drafts: Record<string, Change> = {
    'iat 300 s old': withClaims(good, { iat: now - 300 }),
    'iat 60 s ahead': withClaims(good, { iat: now + 60 }),
    'iat with a fraction': withClaims(good, { iat: now - 0.5 }),
    'an exp to come and an nbf in the past': withClaims(good, { nbf: now - 1, exp: now + 60 }),
    'a claim that the service does not know': withClaims(good, { note: { text: 'ignored' } }),
    'the other valid signature (r, n − s)': { signature: (own) => mirrored(own) },
  };
  return Object.entries(drafts).map(([name, change]) => draft(good, name, change, good.expected));
}

function refusedTimes(good: Good): Draft[] {
  const drafts: Record<string, Draft['claims']> = {
    'iat 301 s old': { iat: now - 301 },
    'iat 61 s ahead': { iat: now + 61 },
    'an exp that is now': { exp: now },
    'an exp that has passed': { exp: now - 1 },
    'an nbf 61 s ahead': { nbf: now + 61 },
  };
  return Object.entries(drafts).map(([name, claims]) =>
    draft(good, name, withClaims(good, claims), clockSkew(now)),
  );
}

function refused(good: Good): Draft[] {
  const changes = {
    ...wrongAlgorithms(good),
    ...wrongHeaders(good),
    ...wrongClaims(good),
    ...wrongSignatures(),
    ...wrongSpellings(),
    ...ambiguousJson(good),
  };
  return [
    ...Object.entries(changes).map(([name, change]) => draft(good, name, change, invalidSignature)),
    draft(
      good,
      'more than 8 KiB',
      withClaims(good, { filler: 'x'.repeat(6_200) }),
      good.jwsIn === 'body' ? { status: 413, code: 'too-large' } : invalidSignature,
    ),
  ];
}

const wrongAlgorithms = (good: Good): Record<string, Change> => ({
  'alg none without a signature': { ...withHeader(good, { alg: 'none' }), signature: () => Buffer.alloc(0) },
  'alg none with a signature': withHeader(good, { alg: 'none' }),
  'alg HS256 with the public key as secret': {
    ...withHeader(good, { alg: 'HS256' }),
    key: publicKeyAsSecret,
  },
  'alg RS256 with an RSA key': { ...withHeader(good, { alg: 'RS256' }), key: rsaKey },
  'alg ES384 with a P-384 key': { ...withHeader(good, { alg: 'ES384' }), key: p384Key },
  'alg in small letters': withHeader(good, { alg: 'es256' }),
  'no alg': { header: without(good.header, 'alg') },
});

const wrongHeaders = (good: Good): Record<string, Change> => ({
  'the typ of another message': withHeader(good, { typ: good.otherTyp }),
  'the typ JWT': withHeader(good, { typ: 'JWT' }),
  'the typ in capitals': withHeader(good, { typ: String(good.header['typ']).toUpperCase() }),
  'no typ': { header: without(good.header, 'typ') },
  'a critical header parameter': withHeader(good, { crit: ['b64'], b64: true }),
  'a link to a key': withHeader(good, { jku: 'https://attacker.example/keys.json' }),
  'a content type': withHeader(good, { cty: 'JWT' }),
  'an unknown header parameter': withHeader(good, { note: 'hello' }),
});

const wrongClaims = (good: Good): Record<string, Change> => ({
  'the aud of another service': withClaims(good, { aud: 'https://elsewhere.example' }),
  'the aud with a slash at its end': withClaims(good, { aud: `${String(good.claims['aud'])}/` }),
  'a list as aud': withClaims(good, { aud: [good.claims['aud']] }),
  'the jkt of another key': withClaims(good, { jkt: thumbprintOf(otherKey.publicJwk) }),
  'a jkt that is not a string': withClaims(good, { jkt: 42 }),
  'no jkt': { claims: without(good.claims, 'jkt') },
  'no aud': { claims: without(good.claims, 'aud') },
  'no jti': { claims: without(good.claims, 'jti') },
  'no iat': { claims: without(good.claims, 'iat') },
  'iat as text': withClaims(good, { iat: String(now) }),
  'exp as text': withClaims(good, { exp: String(now + 60) }),
});

const wrongSignatures = (): Record<string, Change> => ({
  "another key's signature": { key: otherKey },
  'a DER signature': { signature: (own) => derOf(own) },
  'a signature of zeros': { signature: () => Buffer.alloc(64) },
  'a signature that is one byte short': { signature: (own) => own.subarray(0, 63) },
  'no signature': { signature: () => Buffer.alloc(0) },
  'claims that were changed after signing': { text: changeClaims },
});

/** Adds a blank in front of the claims, which means the same as JSON. */
function changeClaims(jws: string): string {
  const [header = '', claims = '', signature = ''] = jws.split('.');
  const changed = Buffer.concat([Buffer.from(' '), Buffer.from(claims, 'base64url')]).toString('base64url');
  return [header, changed, signature].join('.');
}

const padded = (part: string): string => part.padEnd(Math.ceil(part.length / 4) * 4, '=');

const mapParts = (jws: string, change: (part: string) => string): string =>
  jws.split('.').map(change).join('.');

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The last character of 64 bytes has four bits that decoders ignore. */
const respellEnd = (jws: string): string =>
  jws.slice(0, -1) + (alphabet[alphabet.indexOf(jws.at(-1) ?? '') + 1] ?? '');

const wrongSpellings = (): Record<string, Change> => ({
  'base64url with padding': { text: (jws) => mapParts(jws, padded) },
  'a signature in base64 with + and /': {
    text: (jws) =>
      jws.replace(/[^.]+$/, (part) => Buffer.from(part, 'base64url').toString('base64').replace(/=+$/, '')),
  },
  'a signature whose unused bits are not zero': { text: respellEnd },
  'a line end': { text: (jws) => `${jws}\n` },
  'a fourth part': { text: (jws) => `${jws}.x` },
  'the JSON serialization of a JWS': {
    text: (jws) => {
      const [header, payload, signature] = jws.split('.');
      return JSON.stringify({ protected: header, payload, signature });
    },
  },
});

const ambiguousJson = ({ header, claims }: Good): Record<string, Change> => {
  const [headerText, claimsText] = [JSON.stringify(header), JSON.stringify(claims)];
  const [inHeader, inClaims] = [headerText.slice(1), claimsText.slice(1)];
  const aud = JSON.stringify(claims['aud']);
  return {
    'alg twice': { bytes: { header: `{"alg":"none",${inHeader}` } },
    'alg twice, once with an escape': { bytes: { header: `{"\\u0061lg":"none",${inHeader}` } },
    'a claim twice': { bytes: { claims: `{"aud":${aud},${inClaims}` } },
    'a claim twice, once with an escape': { bytes: { claims: `{"\\u0061ud":${aud},${inClaims}` } },
    'a member twice inside a claim': { bytes: { claims: `{"other":{"a":1,"a":2},${inClaims}` } },
    'claims with nine levels': { bytes: { claims: `{"deep":${'['.repeat(8)}${']'.repeat(8)},${inClaims}` } },
    'a list in place of the claims': { bytes: { claims: `[${claimsText}]` } },
    'claims that are no JSON': { bytes: { claims: claimsText.slice(0, -1) } },
    'a byte order mark': { bytes: { claims: `\uFEFF${claimsText}` } },
    'claims that are not UTF-8': {
      bytes: {
        claims: Buffer.concat([Buffer.from(`{"note":"`), Buffer.of(0xff), Buffer.from(`",${inClaims}`)]),
      },
    },
  };
};

/** Faults in who the message comes from, in every message of an enrolled device. */
export function wrongSenders(good: Good): Draft[] {
  const stranger = uuidOf('an unknown device');
  const changes: Record<string, Change> = {
    'a kid that is not iss': withHeader(good, { kid: stranger }),
    'an iss that is not kid': withClaims(good, { iss: stranger }),
    'an unknown device': { ...withHeader(good, { kid: stranger }), ...withClaims(good, { iss: stranger }) },
    "another tenant's tid": withClaims(good, { tid: uuidOf('another tenant') }),
    "another user's sub": withClaims(good, { sub: 'ben@shop' }),
    'no kid': { header: without(good.header, 'kid') },
    'no iss': { claims: without(good.claims, 'iss') },
    'no tid': { claims: without(good.claims, 'tid') },
    'no sub': { claims: without(good.claims, 'sub') },
    'the public key in the header': withHeader(good, { jwk: deviceKey.publicJwk }),
    'another key, which is in the header': {
      ...withHeader(good, { jwk: otherKey.publicJwk }),
      key: otherKey,
    },
  };
  return Object.entries(changes).map(([name, change]) => draft(good, name, change, invalidSignature));
}
