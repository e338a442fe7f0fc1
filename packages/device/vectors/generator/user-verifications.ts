/** Answers with the assertion of a passkey: the user's fingerprint, face or PIN was checked for this answer. */
import type { JsonObject } from './json.ts';
import { otherKey, passkeyKey } from './keys.ts';
import { assertionFor, flags, origin, passkeyId, rpId, type Change } from './passkeys.ts';
import { confirm, confirmed, denied, deny, path, responseTo } from './responses.ts';
import { baseUrl, challengeOf, contextOf, device, sha256, uuidOf } from './story.ts';
import { vectorOf, type Draft, type Expected } from './vector.ts';

const challenge = challengeOf(
  'Pay 1,250.00 € to Example Garage?',
  { nonce: uuidOf('verified') },
  { context: contextOf({}, 'required') },
);
const { challengeId, messageHash, contextHash } = challenge;

/** SHA-256 of challenge id, hashes and decision, in base64url as in `clientDataJSON`. */
const challengeFor = (decision: string): string =>
  sha256(`${challengeId}.${messageHash}.${contextHash}.${decision}`);

const failed: Expected = { status: 422, code: 'user-verification-failed' };
const counterRefused: Expected = { status: 422, code: 'passkey-counter' };

function answered(
  name: string,
  answer: JsonObject,
  expected: Expected,
  passkey: JsonObject = {
    id: passkeyId,
    publicKey: passkeyKey.publicJwk,
    counter: 0,
    synced: false,
  },
): Draft {
  const draft = responseTo(challenge, name, answer, expected);
  return { ...draft, given: { ...draft.given, passkey } };
}

const verifiedBy = (assertion: JsonObject): JsonObject => ({ ...confirm, userVerification: assertion });

const good = assertionFor(challengeFor('confirm'));
const counted = { id: passkeyId, publicKey: passkeyKey.publicJwk, counter: 7, synced: false };

function refused(): Draft[] {
  const changes: Record<string, Change> = {
    'another origin': { client: { origin: 'https://app.example.org.attacker.example' } },
    'a frame of another origin': { client: { crossOrigin: true } },
    'the type of a creation': { client: { type: 'webauthn.create' } },
    'another relying party': { rpId: 'attacker.example' },
    'no flag UV: nobody was verified': { flags: flags.present },
    'no flag UP: nobody was there': { flags: flags.verified },
    'a synced passkey, where the enrolled one was not': {
      flags: flags.present | flags.verified | flags.eligible,
    },
    "another passkey's signature": { key: otherKey },
  };
  return Object.entries(changes).map(([name, change]) =>
    answered(name, verifiedBy(assertionFor(challengeFor('confirm'), change)), failed),
  );
}

const drafts = (): Draft[] => [
  answered('a confirmation of a verified user', verifiedBy(good), confirmed),
  answered(
    'a counter that has grown',
    verifiedBy(assertionFor(challengeFor('confirm'), { counter: 8 })),
    confirmed,
    counted,
  ),
  answered('a denial without an assertion', { ...deny, reason: 'not_me' }, denied),
  answered(
    'a denial with an assertion',
    { ...deny, userVerification: assertionFor(challengeFor('deny')) },
    denied,
  ),
  answered('a confirmation without an assertion', confirm, {
    status: 422,
    code: 'user-verification-required',
  }),
  answered('an assertion for a denial', verifiedBy(assertionFor(challengeFor('deny'))), failed),
  answered(
    'an assertion for another challenge',
    verifiedBy(assertionFor(sha256('another.challenge.with-context.confirm'))),
    failed,
  ),
  answered(
    'a counter that went back',
    verifiedBy(assertionFor(challengeFor('confirm'), { counter: 6 })),
    counterRefused,
    counted,
  ),
  answered(
    'a counter that stayed',
    verifiedBy(assertionFor(challengeFor('confirm'), { counter: 7 })),
    counterRefused,
    counted,
  ),
  answered('the id of another passkey', verifiedBy({ ...good, id: otherKey.publicJwk.x }), failed),
  answered(
    'a signature of r and s in place of DER',
    verifiedBy({ ...good, signature: Buffer.alloc(64, 1).toString('base64url') }),
    failed,
  ),
  answered(
    'authenticatorData with padding',
    verifiedBy({ ...good, authenticatorData: `${String(good['authenticatorData'])}=` }),
    failed,
  ),
  { ...answered('a device without a passkey', verifiedBy(good), failed), given: { challenge } },
  ...refused(),
];

export const userVerification = () => ({
  about:
    'Answers with an assertion of a passkey. "passkey" is what the service knows of it. The challenge of the assertion is the ' +
    'SHA-256 of "<challengeId>.<messageHash>.<contextHash>.<decision>", for a challenge with details followed by ".<detailsHash>".',
  call: { method: 'POST', path, jwsIn: 'the body', contentType: 'application/jose' },
  typ: 'omi-response+jws',
  baseUrl,
  rpId,
  origins: [origin],
  device,
  passkeyKey: passkeyKey.jwk,
  assertionChallenges: ['confirm', 'deny'].map((decision) => ({
    challengeId,
    messageHash,
    contextHash,
    decision,
    challenge: challengeFor(decision),
  })),
  vectors: drafts().map((draft) => vectorOf(draft, device.publicKey)),
});
