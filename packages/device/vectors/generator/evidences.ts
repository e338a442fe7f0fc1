/** What a website keeps of an answer, with the receipt of the enrolment: what proves it, and what does not. */
import { createHash } from 'node:crypto';
import { assertionFor, flags, passkeyId, rpId, type Change } from './passkeys.ts';
import { deviceKey, otherKey, passkeyKey, receiptKey, tokenKey, type EcKey, type PublicJwk } from './keys.ts';
import { secondKeyOf } from './second-key.ts';
import { without, type JsonObject } from './json.ts';
import { baseUrl, identity, now, sha256, timeOf, uuidOf } from './story.ts';

const { tenantId, userId, deviceId } = identity;
const otherDevice = uuidOf('another device');
const formerUrl = 'https://former.example.org';
const day = 86_400;
const enrolledAt = now - 30 * day;

const thumbprintOf = ({ crv, kty, x, y }: PublicJwk): string => sha256(JSON.stringify({ crv, kty, x, y }));

function sign(key: EcKey, header: JsonObject, claims: JsonObject): string {
  const [head = '', body = ''] = [header, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `${head}.${body}.${key.sign(Buffer.from(`${head}.${body}`)).toString('base64url')}`;
}

// The keys of the service.

const kidOf = (key: EcKey): string => thumbprintOf(key.publicJwk).slice(0, 8);
const published = (key: EcKey, use: string, from: number, until?: number): JsonObject => ({
  ...key.publicJwk,
  ...{ use: 'sig', alg: 'ES256', kid: kidOf(key), for: use, from: timeOf(from) },
  ...(until !== undefined && { until: timeOf(until) }),
});
const keys = {
  keys: [
    published(tokenKey, 'token', enrolledAt - day),
    published(receiptKey, 'receipt', enrolledAt - day, enrolledAt + day),
  ],
};

// The receipts.

const receiptHeader = { alg: 'ES256', typ: 'omi-receipt+jwt', kid: kidOf(receiptKey) };
const receiptClaims = {
  iss: baseUrl,
  iat: enrolledAt,
  sub: userId,
  tid: tenantId,
  deviceId,
  jkt: thumbprintOf(deviceKey.publicJwk),
  platform: 'web',
  passkey: { id: passkeyId, jkt: thumbprintOf(passkeyKey.publicJwk), rpId },
  by: 'first',
  client: 'shop-website',
};

const receiptWith = (claims: JsonObject, header: JsonObject = {}, key: EcKey = receiptKey): string =>
  sign(key, { ...receiptHeader, ...header }, { ...receiptClaims, ...claims });

// The question, and its answer.

export type Asked = {
  nonce: string;
  message: string;
  details?: object[];
  purpose?: string | null;
  requestedFrom?: object | null;
  subjectDeviceId?: string;
};
export type Kept = JsonObject;

const requestedFrom = { browser: 'Firefox on Windows', place: 'Köln', ip: '2001:db8::7' };
const contextOf = (change: JsonObject = {}): string =>
  JSON.stringify({
    requester: { tenant: 'Example Shop', client: 'Shop website' },
    userVerification: 'preferred',
    requestedFrom,
    ...change,
  });

const question: Asked = {
  nonce: uuidOf('evidence'),
  message: 'Pay 16.00 € to Café Zoë 👩🏽‍🍳?',
  purpose: null,
  requestedFrom,
};
const details = [{ type: 'payment', amount: '16.00', currency: 'EUR', to: { name: 'Café Zoë' } }];

type Answered = {
  asked?: Asked;
  context?: string;
  receipt?: string;
  decision?: 'confirm' | 'deny';
  /** True, or what differs from a good assertion. */
  verified?: true | (Change & { challenge?: string; members?: JsonObject });
  header?: JsonObject;
  claims?: JsonObject;
  key?: EcKey;
};

function hashesOf({ nonce, message, details: list }: Asked, context: string) {
  return {
    challengeId: sha256(`${tenantId}\n${nonce}`),
    messageHash: sha256(message),
    ...(list && { detailsHash: sha256(JSON.stringify(list)) }),
    contextHash: sha256(context),
  };
}

/** A final confirmation as the service gives it. */
function kept(answered: Answered = {}): Kept {
  const { asked = question, context = contextOf(), receipt = receiptWith({}) } = answered;
  const { decision = 'confirm', verified, key = deviceKey } = answered;
  const hashes = hashesOf(asked, context);
  const { challengeId, messageHash, contextHash, detailsHash } = hashes;
  const decided = [challengeId, messageHash, contextHash, decision, ...(detailsHash ? [detailsHash] : [])];
  const {
    challenge = sha256(decided.join('.')),
    members = {},
    ...change
  } = verified === true ? {} : (verified ?? {});
  const claims = {
    iss: deviceId,
    sub: userId,
    tid: tenantId,
    aud: baseUrl,
    iat: now,
    jti: uuidOf('the answer'),
    jkt: thumbprintOf(key.publicJwk),
    ...hashes,
    decision,
    ...(verified && { userVerification: { ...assertionFor(challenge, change), ...members } }),
    ...answered.claims,
  };
  const header = { alg: 'ES256', typ: 'omi-response+jws', kid: deviceId, ...answered.header };
  return {
    nonce: asked.nonce,
    ...hashes,
    tenantId,
    userId,
    deviceId,
    context,
    status: decision === 'confirm' ? 'confirmed' : 'denied',
    ...(decision === 'deny' && { reason: 'user_declined' }),
    delivery: 'sent',
    createdAt: timeOf(now - 8),
    decidedAt: timeOf(now),
    expiresAt: timeOf(now + 112),
    interval: 1,
    userVerified: verified !== undefined,
    evidence: sign(key, header, claims),
    deviceKey: deviceKey.publicJwk,
    receipt,
    ...(verified && { passkeyKey: passkeyKey.publicJwk }),
  };
}

// The vectors.

type Options = {
  formerBaseUrls?: string[];
  testUsers?: boolean;
  knownKeys?: string[];
  baseUrl?: string;
};

type Vector = {
  name: string;
  confirmation: Kept;
  asked: Asked;
  options?: Options;
  keys?: { keys: JsonObject[] };
  /** Absent: it proves what was asked. */
  code?: string;
};

const plain = kept();
const withDetails = { ...question, details };
const full: Answered = { asked: withDetails, verified: true };
const removal: Asked = {
  ...question,
  message: 'Remove “Old phone”?',
  purpose: 'remove-device',
  subjectDeviceId: otherDevice,
};
const removalContext = contextOf({
  purpose: 'remove-device',
  device: { deviceId: otherDevice, name: 'Old phone' },
});

const one = (
  name: string,
  code: string | undefined,
  confirmation: Kept,
  { asked = question, ...more }: Partial<Vector> = {},
): Vector => ({ name, confirmation, asked, ...more, ...(code !== undefined && { code }) });

const proved = (name: string, confirmation: Kept, more: Partial<Vector> = {}): Vector =>
  one(name, undefined, confirmation, more);

const good = (): Vector[] => [
  proved('a confirmation', plain),
  proved('a denial', kept({ decision: 'deny' })),
  proved('a confirmation with details, of a verified user', kept(full), { asked: withDetails }),
  proved('a denial of a verified user', kept({ decision: 'deny', verified: true })),
  proved('the removal of a device', kept({ asked: removal, context: removalContext }), { asked: removal }),
  proved('a website that does not know what the context should say', plain, {
    asked: { nonce: question.nonce, message: question.message },
  }),
  proved('a context without its requester', kept({ context: contextOf({ requester: undefined }) })),
  proved('a member of the context that came later', kept({ context: contextOf({ later: 1 }) })),
  proved('a key that the website knows', plain, {
    options: { knownKeys: [thumbprintOf(otherKey.publicJwk), thumbprintOf(deviceKey.publicJwk)] },
  }),
  proved('a receipt of a former base URL', kept({ receipt: receiptWith({ iss: formerUrl }) }), {
    options: { formerBaseUrls: [formerUrl] },
  }),
  proved('an answer for a former base URL', kept({ claims: { aud: formerUrl } }), {
    options: { formerBaseUrls: [formerUrl] },
  }),
  proved(
    'a receipt 300 s after the end of its key',
    kept({ receipt: receiptWith({ iat: enrolledAt + day + 300 }) }),
  ),
  proved('a receipt 300 s before its key', kept({ receipt: receiptWith({ iat: enrolledAt - day - 300 }) })),
  proved('a user for tests, where they are accepted', kept({ receipt: receiptWith({ by: 'test' }) }), {
    options: { testUsers: true },
  }),
  ...['free', 'confirmation', 'recovery'].map((by) =>
    proved(`an enrolment that was allowed by: ${by}`, kept({ receipt: receiptWith({ by }) })),
  ),
];

const change = (name: string, code: string, members: JsonObject, more: Partial<Vector> = {}): Vector =>
  one(name, code, { ...plain, ...members }, more);

const badAnswers = (): Vector[] => [
  change('no evidence', 'missing', { evidence: undefined }),
  change('no device key', 'missing', { deviceKey: undefined }),
  change('no context', 'missing', { context: undefined }),
  change('no receipt', 'missing', { receipt: undefined }),
  change('a confirmation that has expired', 'status', { status: 'expired' }),
  change('a denial in place of the confirmation', 'decision', { status: 'denied' }),
  change('another device', 'kid', { deviceId: otherDevice }),
  change('another user', 'sub', { userId: 'bert@shop' }),
  change('another tenant', 'tid', { tenantId: uuidOf('another tenant') }),
  change('another key', 'signature', { deviceKey: otherKey.publicJwk }),
  change('the second key that verifies the signature', 'jkt', {
    deviceKey: secondKeyOf(String(plain['evidence']), deviceKey.publicJwk),
  }),
  change('a key that is not on the curve', 'device-key', {
    deviceKey: { ...deviceKey.publicJwk, y: deviceKey.publicJwk.x },
  }),
  change(
    'a key that the website does not know',
    'unknown-key',
    {},
    {
      options: { knownKeys: [thumbprintOf(otherKey.publicJwk)] },
    },
  ),
  one('an answer without jkt', 'jkt', kept({ claims: { jkt: undefined } })),
  one("another key's jkt", 'jkt', kept({ claims: { jkt: thumbprintOf(otherKey.publicJwk) } })),
  one('a device key that is not the enrolled one', 'receipt-jkt', {
    ...kept({ key: otherKey }),
    deviceKey: otherKey.publicJwk,
  }),
  one('the answer to another question', 'challengeId', kept({ asked: { ...question, nonce: uuidOf('x') } })),
  one('a request in place of an answer', 'typ', kept({ header: { typ: 'omi-request+jws' } })),
  one('a header with crit', 'header', kept({ header: { crit: ['b64'], b64: false } })),
  one('an answer for another service', 'aud', kept({ claims: { aud: formerUrl } })),
  one('another message', 'messageHash', plain, {
    asked: { ...question, message: 'Pay 1600 € to Café Zoë 👩🏽‍🍳?' },
  }),
  one('another nonce', 'challengeId', plain, { asked: { ...question, nonce: uuidOf('x') } }),
  one('another amount in the details', 'detailsHash', kept(full), {
    asked: { ...question, details: [{ ...details[0], amount: '1600' }] },
  }),
  one('details that nobody signed', 'detailsHash', plain, { asked: withDetails }),
  one('details that nobody asked', 'detailsHash', kept({ asked: withDetails })),
];

const badContexts = (): Vector[] => [
  change('another requester', 'contextHash', {
    context: contextOf({ requester: { tenant: 'Example Bank', client: 'Shop website' } }),
  }),
  change('a purpose that was not shown', 'contextHash', { context: contextOf({ purpose: 'add-device' }) }),
  change('another place', 'contextHash', {
    context: contextOf({ requestedFrom: { ...requestedFrom, place: 'Bonn' } }),
  }),
  change('one more blank', 'contextHash', { context: `${contextOf()} ` }),
  one('an answer without contextHash', 'contextHash', kept({ claims: { contextHash: undefined } })),
  one('a context that is not JSON', 'context', kept({ context: '{' })),
  one('a member of the context twice', 'context', kept({ context: '{"a":1,"a":2}' })),
  one('a purpose that was not asked', 'purpose', kept({ context: contextOf({ purpose: 'add-device' }) })),
  one('a purpose that was asked and not shown', 'purpose', plain, {
    asked: { ...question, purpose: 'add-device' },
  }),
  one('an origin that differs from what was asked', 'requestedFrom', plain, {
    asked: { ...question, requestedFrom: { ...requestedFrom, place: 'Bonn' } },
  }),
  one('an origin that was not asked', 'requestedFrom', plain, {
    asked: { ...question, requestedFrom: null },
  }),
  one(
    'an origin that was not shown',
    'requestedFrom',
    kept({ context: contextOf({ requestedFrom: undefined }) }),
  ),
  one('the removal of another device', 'subjectDeviceId', kept({ asked: removal, context: removalContext }), {
    asked: { ...removal, subjectDeviceId: uuidOf('a third device') },
  }),
];

const withReceipt = (name: string, code: string, receipt: string, more: Partial<Vector> = {}): Vector =>
  one(name, code, kept({ receipt }), more);

const badReceipts = (): Vector[] => [
  withReceipt('a receipt that is not a JWS', 'receipt', 'receipt'),
  withReceipt('a token in place of the receipt', 'receipt', receiptWith({}, { typ: 'at+jwt' })),
  withReceipt('a receipt without typ', 'receipt', receiptWith({}, { typ: undefined })),
  withReceipt('a receipt with another algorithm', 'receipt', receiptWith({}, { alg: 'none' })),
  withReceipt('a receipt with a key in its header', 'receipt', receiptWith({}, { jwk: otherKey.publicJwk })),
  withReceipt(
    'a receipt by a key for tokens',
    'receipt-key',
    receiptWith({}, { kid: kidOf(tokenKey) }, tokenKey),
  ),
  withReceipt(
    'a receipt by a key that nobody knows',
    'receipt-key',
    receiptWith({}, { kid: kidOf(otherKey) }, otherKey),
  ),
  withReceipt("a receipt with another key's signature", 'receipt-signature', receiptWith({}, {}, otherKey)),
  withReceipt('a receipt 301 s before its key', 'receipt-time', receiptWith({ iat: enrolledAt - day - 301 })),
  withReceipt(
    'a receipt 301 s after the end of its key',
    'receipt-time',
    receiptWith({ iat: enrolledAt + day + 301 }),
  ),
  withReceipt('a receipt without a time', 'receipt-time', receiptWith({ iat: undefined })),
  withReceipt('a receipt of another service', 'receipt-iss', receiptWith({ iss: formerUrl })),
  withReceipt("another tenant's receipt", 'receipt-tid', receiptWith({ tid: uuidOf('another tenant') })),
  withReceipt("another user's receipt", 'receipt-sub', receiptWith({ sub: 'bert@shop' })),
  withReceipt("another device's receipt", 'receipt-deviceId', receiptWith({ deviceId: otherDevice })),
  withReceipt(
    'a receipt of another key',
    'receipt-jkt',
    receiptWith({ jkt: thumbprintOf(otherKey.publicJwk) }),
  ),
  withReceipt('a user for tests', 'receipt-by', receiptWith({ by: 'test' })),
  withReceipt(
    'an enrolment that was allowed by something unknown',
    'receipt-by',
    receiptWith({ by: 'nobody' }),
  ),
  change('a receipt key that the key document does not have', 'receipt-key', {}, { keys: { keys: [] } }),
];

const assertionWith = (name: string, code: string, verified: Answered['verified']): Vector =>
  one(name, code, kept({ ...full, verified: verified ?? true }), { asked: withDetails });

const badPasskeys = (): Vector[] => [
  change('a verification of the user that nobody signed', 'user-verified', { userVerified: true }),
  one(
    'a verification of the user that is hidden',
    'user-verified',
    { ...kept(full), userVerified: false },
    {
      asked: withDetails,
    },
  ),
  one(
    'a context that says “required”, without a verification',
    'user-verified',
    kept({
      context: contextOf({ userVerification: 'required' }),
    }),
  ),
  one('no passkey key', 'user-verified', without(kept(full), 'passkeyKey'), { asked: withDetails }),
  one(
    "another passkey's key",
    'passkey-key',
    { ...kept(full), passkeyKey: otherKey.publicJwk },
    {
      asked: withDetails,
    },
  ),
  one(
    'a passkey that the receipt does not have',
    'passkey-id',
    kept({
      ...full,
      receipt: receiptWith({ passkey: undefined }),
    }),
    { asked: withDetails },
  ),
  assertionWith('the id of another passkey', 'passkey-id', { members: { id: 'AAAA' } }),
  assertionWith('an assertion for another question', 'passkey-challenge', {
    challenge: sha256('another.challenge'),
  }),
  assertionWith('an assertion of a registration', 'passkey-challenge', {
    client: { type: 'webauthn.create' },
  }),
  assertionWith('an assertion in a frame of another origin', 'passkey-challenge', {
    client: { crossOrigin: true },
  }),
  assertionWith('an assertion for another app', 'passkey-rpId', { rpId: 'attacker.example' }),
  assertionWith('nobody was verified', 'passkey-flags', { flags: flags.present }),
  assertionWith('nobody was there', 'passkey-flags', { flags: flags.verified }),
  assertionWith("another passkey's signature", 'passkey-signature', { key: otherKey }),
  assertionWith('a signature that is not DER', 'passkey', {
    members: { signature: createHash('sha512').update('not DER').digest('base64url') },
  }),
];

export const evidence = () => ({
  about:
    'Confirmations as websites keep them. Without "code", the confirmation proves what was asked with these keys of the service; ' +
    'with it, that check fails. "asked" and "options" are what the website knows: what is absent there is not compared, and null ' +
    'means that there was none.',
  baseUrl,
  userId,
  tenantId,
  receiptKey: receiptKey.jwk,
  tokenKey: tokenKey.jwk,
  keys,
  vectors: [...good(), ...badAnswers(), ...badContexts(), ...badReceipts(), ...badPasskeys()],
});
