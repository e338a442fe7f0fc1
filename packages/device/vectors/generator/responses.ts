/** Answers to challenges. A confirmed or denied challenge keeps the message as evidence. */
import { commonVectors, wrongSenders, type Good } from './common-faults.ts';
import { without, type JsonObject } from './json.ts';
import { deviceKey } from './keys.ts';
import {
  baseUrl,
  challengeOf,
  device,
  identity,
  contextOf,
  jkt,
  now,
  plainChallenge,
  sha256,
  uuidOf,
  type Challenge,
} from './story.ts';
import { invalidRequest, vectorOf, type Draft, type Expected } from './vector.ts';

export const path = '/omi/device/challenges/{challengeId}/response';

export const confirmed: Expected = { status: 200, body: { status: 'confirmed' } };
export const denied: Expected = { status: 200, body: { status: 'denied' } };

const { deviceId: iss, tenantId: tid, userId: sub } = identity;

export function responseTo(
  challenge: Challenge,
  name: string,
  answer: JsonObject,
  expected: Expected,
): Draft {
  const { challengeId, messageHash, contextHash } = challenge;
  const hashes = { challengeId, messageHash, contextHash };
  return {
    name,
    key: deviceKey,
    header: { alg: 'ES256', typ: 'omi-response+jws', kid: iss },
    claims: { iat: now, jti: uuidOf(name), iss, tid, sub, aud: baseUrl, jkt, ...hashes, ...answer },
    given: { challenge },
    expected,
  };
}

export const confirm = { decision: 'confirm' };
export const deny = { decision: 'deny' };

const good: Draft & Good = {
  ...responseTo(plainChallenge, 'a confirmation', confirm, confirmed),
  otherTyp: 'omi-request+jws',
  jwsIn: 'body',
};

function decisions(): Draft[] {
  const to = (name: string, answer: JsonObject, expected: Expected) =>
    responseTo(plainChallenge, name, answer, expected);
  return [
    to('a denial without a reason', deny, denied),
    to('a denial: the user declined', { ...deny, reason: 'user_declined' }, denied),
    to('a denial: this was not me', { ...deny, reason: 'not_me' }, denied),
    to('another decision', { decision: 'maybe' }, invalidRequest),
    to('a decision in capitals', { decision: 'CONFIRM' }, invalidRequest),
    to('no decision', {}, invalidRequest),
    to('another reason', { ...deny, reason: 'no_time' }, invalidRequest),
  ];
}

/** Messages whose bytes apps get wrong most easily. */
const texts: Record<string, string> = {
  'an emoji with modifiers': 'Pay 16.00 € to Café Zoë 👩🏽‍🍳?',
  'combining marks, which must not be normalized': 'Cafe\u0301 or Caf\u00e9?',
  'right-to-left text': 'לאשר תשלום של 120 ₪ לחנות הספרים?',
  'quotes, backslashes and markup': 'Rename "C:\\temp" to <b>\'new\' & old</b>/?',
  'blanks at both ends': ' Log in? ',
};

function messages(): Draft[] {
  return Object.entries(texts).map(([name, message]) =>
    responseTo(
      challengeOf(message, { nonce: uuidOf(name) }),
      `a confirmation of ${name}`,
      confirm,
      confirmed,
    ),
  );
}

/** Challenges with details are signed with their hash, too. */
function details(): Draft[] {
  const text = JSON.stringify([
    { type: 'payment', amount: { value: '16.00', currency: 'EUR' }, payee: 'Café Zoë' },
  ]);
  const detailsHash = sha256(text);
  const challenge = challengeOf('Pay?', { nonce: uuidOf('details') }, { details: text, detailsHash });
  const mismatch: Expected = { status: 422, code: 'message-mismatch' };
  const to = (name: string, claims: JsonObject, expected: Expected) =>
    responseTo(challenge, name, { ...confirm, ...claims }, expected);
  return [
    responseTo(challenge, 'a confirmation with details', { detailsHash, ...confirm }, confirmed),
    to('details without their hash', {}, mismatch),
    to('the hash of other details', { detailsHash: sha256(text.replace('16.00', '1600')) }, mismatch),
    to(
      'the hash of the details with other white space',
      { detailsHash: sha256(text.replaceAll(':', ': ')) },
      mismatch,
    ),
    responseTo(
      plainChallenge,
      'the hash of details that were not sent',
      { ...confirm, detailsHash },
      mismatch,
    ),
  ];
}

function otherMessages(): Draft[] {
  const mismatch: Expected = { status: 422, code: 'message-mismatch' };
  const accents = challengeOf('Cafe\u0301 or Caf\u00e9?', { nonce: uuidOf('accents') });
  const hashed = (message: string) => ({ ...confirm, messageHash: sha256(message) });
  return [
    responseTo(plainChallenge, 'the hash of another message', hashed('Pay 1250 €?'), mismatch),
    responseTo(
      accents,
      'the hash of the normalized message',
      hashed(accents.message.normalize('NFC')),
      mismatch,
    ),
    responseTo(
      plainChallenge,
      'the hash of the message as JSON',
      hashed(JSON.stringify(plainChallenge.message)),
      mismatch,
    ),
    responseTo(
      plainChallenge,
      'the hash in hexadecimal digits',
      { ...confirm, messageHash: Buffer.from(plainChallenge.messageHash, 'base64url').toString('hex') },
      mismatch,
    ),
    responseTo(
      plainChallenge,
      'the hash with padding',
      { ...confirm, messageHash: `${plainChallenge.messageHash}=` },
      mismatch,
    ),
    responseTo(
      plainChallenge,
      'a denial with the hash of another message',
      { ...deny, messageHash: sha256('Pay 1250 €?') },
      mismatch,
    ),
    withoutClaim('no messageHash', 'messageHash', invalidRequest),
  ];
}

function withoutClaim(name: string, claim: string, expected: Expected): Draft {
  return { ...good, name, claims: without(good.claims, claim), expected };
}

/** What the device shows besides message and details, signed by its hash. */
function contexts(): Draft[] {
  const mismatch: Expected = { status: 422, code: 'message-mismatch' };
  const full = contextOf({
    purpose: 'remove-device',
    device: { deviceId: uuidOf('a lost phone'), name: "Anna's old phone" },
    requestedFrom: { browser: 'Firefox on Windows', place: 'Köln', ip: '192.0.2.7' },
  });
  const removal = challengeOf('Remove the phone?', { nonce: uuidOf('context') }, { context: full });
  const to = (name: string, claims: JsonObject) =>
    responseTo(removal, name, { ...confirm, ...claims }, mismatch);
  return [
    responseTo(removal, 'a confirmation with a full context', confirm, confirmed),
    to('the hash of a context without its purpose', { contextHash: sha256(contextOf()) }),
    to("the hash of another request's origin", { contextHash: sha256(full.replace('Köln', 'Kyiv')) }),
    to('the hash of the context with other white space', {
      contextHash: sha256(JSON.stringify(JSON.parse(full), null, 1)),
    }),
    to('a contextHash that is not a string', { contextHash: 42 }),
    withoutClaim('no contextHash', 'contextHash', mismatch),
    to('a denial with the hash of another context', { ...deny, contextHash: sha256(contextOf()) }),
  ];
}

function otherChallenges(): Draft[] {
  const notFound: Expected = { status: 404, code: 'challenge-not-found' };
  const unknown = sha256('an unknown challenge');
  const inPath = (name: string, challengeId: string, claims: JsonObject): Draft => {
    const pathname = path.replace('{challengeId}', challengeId);
    return {
      ...good,
      name,
      claims,
      given: { challenge: plainChallenge, path: pathname },
      expected: notFound,
    };
  };
  return [
    inPath('an unknown challenge', unknown, { ...good.claims, challengeId: unknown }),
    inPath('another challenge in the path', unknown, good.claims),
    {
      ...good,
      name: 'another challenge in the claims',
      claims: { ...good.claims, challengeId: unknown },
      expected: notFound,
    },
    withoutClaim('no challengeId', 'challengeId', invalidRequest),
  ];
}

function numbers(): Draft[] {
  const pick = challengeOf(
    'Change your address?',
    { nonce: uuidOf('pick'), matchCode: '47' },
    { matchNumbers: ['83', '47', '05'] },
  );
  const type = challengeOf('Change your address?', { nonce: uuidOf('type'), matchCode: '047219' });
  const required: Expected = { status: 422, code: 'number-required' };
  const wrong: Expected = { status: 422, code: 'wrong-number' };
  return [
    responseTo(pick, 'the right one of three numbers', { ...confirm, number: '47' }, confirmed),
    responseTo(pick, 'no number, with three to choose from', confirm, required),
    responseTo(pick, 'a wrong one of three numbers', { ...confirm, number: '83' }, wrong),
    responseTo(pick, 'a denial without a number', { ...deny, reason: 'not_me' }, denied),
    responseTo(type, 'the right number, typed', { ...confirm, number: '047219' }, confirmed),
    responseTo(type, 'no number, where it must be typed', confirm, required),
    responseTo(type, 'the number without its first zero', { ...confirm, number: '47219' }, wrong),
    responseTo(type, 'the number with a blank', { ...confirm, number: '047 219' }, wrong),
    responseTo(type, 'a number that is no text', { ...confirm, number: 47_219 }, invalidRequest),
  ];
}

function repetitions(): Draft[] {
  const after = (name: string) => ({ challenge: plainChallenge, after: name });
  const again = responseTo(plainChallenge, 'another confirmation after a confirmation', confirm, {
    status: 409,
    code: 'already-decided',
  });
  const denial = responseTo(plainChallenge, 'a denial after a confirmation', deny, {
    status: 409,
    code: 'already-decided',
  });
  const late = now + 200;
  return [
    { ...good, name: 'the same message again', given: after(good.name), expected: confirmed },
    { ...again, given: after(good.name) },
    { ...denial, given: after(good.name) },
    {
      ...good,
      name: 'a confirmation after the expiry',
      claims: { ...good.claims, iat: late },
      serviceTime: late,
      expected: { status: 410, code: 'challenge-expired' },
    },
  ];
}

export const response = () => ({
  about:
    'Answering a challenge. The service knows the device and the challenge; "after" names the message that it accepted before. ' +
    '"asked" is what the website knows; the device does not.',
  call: { method: 'POST', path, jwsIn: 'the body', contentType: 'application/jose' },
  typ: 'omi-response+jws',
  baseUrl,
  device,
  vectors: [
    good,
    ...decisions(),
    ...messages(),
    ...details(),
    ...otherMessages(),
    ...contexts(),
    ...numbers(),
    ...otherChallenges(),
    ...repetitions(),
    ...commonVectors(good),
    ...wrongSenders(good),
  ].map((draft) => vectorOf(draft, device.publicKey)),
});
