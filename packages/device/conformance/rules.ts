/** What must hold for each message that the device has sent, whatever the service did. */
import type { JsonWebKey } from 'node:crypto';
import { Failure, must, mustEqual } from './failure.ts';
import type { Call, Received } from './service/fake-service.ts';
import { isSignedBy, thumbprintOf, type Members, type Message } from './service/message.ts';

type Sent = Received & { message: Message };

/** @param earlier the messages before it, each once */
type Rule = {
  id: string;
  says: string;
  holds: (sent: Sent, earlier: readonly Sent[], baseUrl: string) => void;
};

/** Seconds between the device's clock and `iat` that a message may need to arrive. */
const latestSeconds = 30;
const largestMessageBytes = 8 * 1024;

const types: Partial<Record<Call, string>> = {
  enrol: 'omi-enrolment+jws',
  challenges: 'omi-request+jws',
  answer: 'omi-response+jws',
  'push-token': 'omi-push-token+jws',
  unregister: 'omi-request+jws',
};

const keyOf = ({ message, device }: Sent): JsonWebKey | undefined =>
  device?.key ?? (message.header['jwk'] as JsonWebKey | undefined);

export const rules: readonly Rule[] = [
  {
    id: 'message-place',
    says: 'sends a message as application/jose, or in the header of a call without a body',
    holds: ({ call, contentType, authorization, body }) => {
      if (call === 'challenges' || call === 'unregister') {
        must(
          authorization?.startsWith('OMI-Device ') === true,
          'The header is not "Authorization: OMI-Device <JWS>".',
        );
        must(body === '', 'A call without a body has one.');
      } else must(contentType === 'application/jose', `The content type is ${contentType ?? 'missing'}.`);
    },
  },
  {
    id: 'message-form',
    says: 'writes a compact JWS in its only valid form, of at most 8 KiB',
    holds: ({ message: { jws, headerText, claimsText } }) => {
      must(/^[\w-]+\.[\w-]+\.[\w-]+$/.test(jws), 'It is not base64url without padding.');
      must(jws.length <= largestMessageBytes, `It has ${jws.length} bytes.`);
      for (const text of [headerText, claimsText]) mustHaveMembersOnce(text);
    },
  },
  {
    id: 'message-header',
    says: 'has the header parameters of its call and no others',
    holds: ({ call, message: { header } }) => {
      const owner = call === 'enrol' ? 'jwk' : 'kid';
      mustEqual(Object.keys(header).toSorted(), ['alg', owner, 'typ'].toSorted(), 'header parameters');
      mustEqual(header['alg'], 'ES256', 'alg');
      mustEqual(header['typ'], types[call], 'typ');
      if (call !== 'enrol') return;
      mustEqual(Object.keys(header['jwk'] as Members).toSorted(), ['crv', 'kty', 'x', 'y'], 'members of jwk');
    },
  },
  {
    id: 'message-signature',
    says: "signs by ES256 with the device's key, in 64 bytes",
    holds: (sent) => {
      const key = keyOf(sent);
      must(
        key !== undefined && isSignedBy(key, sent.message),
        'The signature is not one by the enrolled key.',
      );
    },
  },
  {
    id: 'message-jkt',
    says: 'names the key that signs it (jkt)',
    holds: (sent) => mustEqual(sent.message.claims['jkt'], thumbprintOf(keyOf(sent) ?? {}), 'jkt'),
  },
  {
    id: 'message-iat',
    says: "has the time of its signature, by the device's clock or the service's (iat)",
    holds: ({ at, leadMs, message: { claims } }, earlier) => {
      const { iat } = claims;
      must(Number.isSafeInteger(iat), `iat is ${JSON.stringify(iat)}; it is a whole number of seconds.`);
      // A device may keep what a service said about its clock.
      const leads = [0, leadMs, ...earlier.map((one) => one.leadMs)];
      const distances = leads.map((ms) => Math.round(Math.abs((at + ms) / 1000 - Number(iat))));
      const distance = Math.min(...distances);
      must(distance <= latestSeconds, `iat is ${distance} s from the time at which the message arrived.`);
    },
  },
  {
    id: 'message-jti',
    says: 'has an id that no other message has (jti)',
    holds: ({ message: { claims } }, earlier) => {
      const { jti } = claims;
      must(typeof jti === 'string' && jti !== '', `jti is ${JSON.stringify(jti)}.`);
      must(
        !earlier.some(({ message }) => message.claims['jti'] === jti),
        'Another message had the same jti.',
      );
    },
  },
  {
    id: 'message-audience',
    says: 'names the base URL of the link as its audience (aud)',
    holds: ({ message: { claims } }, _, baseUrl) => mustEqual(claims['aud'], baseUrl, 'aud'),
  },
  {
    id: 'message-identity',
    says: 'names device, tenant and user as the enrolment did (kid, iss, tid, sub)',
    holds: ({ call, device, message: { header, claims } }) => {
      const { iss, tid, sub } = claims;
      if (call === 'enrol') {
        must(
          [iss, tid, sub].every((claim) => claim === undefined),
          'An enrolment knows no iss, tid or sub.',
        );
        return;
      }
      const { deviceId, tenantId, userId } = device ?? {};
      const named = { kid: header['kid'], iss, tid, sub };
      mustEqual(named, { kid: deviceId, iss: deviceId, tid: tenantId, sub: userId }, 'the identity');
    },
  },
  {
    id: 'request-target',
    says: 'binds a call without a body to its method and URL (htm, htu)',
    holds: ({ call, method, path, message: { claims } }, _, baseUrl) => {
      if (call !== 'challenges' && call !== 'unregister') return;
      mustEqual([claims['htm'], claims['htu']], [method, `${baseUrl}${path}`], 'htm and htu');
    },
  },
  {
    id: 'new-key',
    says: 'makes a new key for each enrolment',
    holds: ({ call, message: { header, claims } }, earlier) => {
      if (call !== 'enrol') return;
      const name = thumbprintOf((header['jwk'] ?? {}) as JsonWebKey);
      const isSame = ({ call: other, message }: Sent): boolean =>
        other === 'enrol' &&
        message.claims['code'] !== claims['code'] &&
        thumbprintOf((message.header['jwk'] ?? {}) as JsonWebKey) === name;
      must(!earlier.some(isSame), 'The key of an earlier enrolment was used again.');
    },
  },
];

/** JSON.parse takes the last of two members, and another reader the first. */
function mustHaveMembersOnce(text: string): void {
  const names = [...text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:/g)].map(([, name]) => name);
  const { length } = Object.keys(JSON.parse(text) as object);
  const isFlat = !/[{[].*[{[]/s.test(text);
  must(!isFlat || names.length === length, 'A member is there twice.');
}

/** Calls whose body is a JWS, or whose header has one. */
const isSent = (received: Received): received is Sent =>
  received.message !== undefined && types[received.call] !== undefined;

/** @throws {Failure} for the first message that breaks the rule */
export function follow(rule: Rule, received: readonly Received[], baseUrl: string): void {
  const sent = received.filter(isSent);
  const firsts = sent.filter(
    ({ message }, index) => sent.findIndex((other) => other.message.jws === message.jws) === index,
  );
  firsts.forEach((message, index) => {
    try {
      rule.holds(message, firsts.slice(0, index), baseUrl);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new Failure(`${message.method} ${message.path}: ${error.message}`);
    }
  });
}
