/** What a device signs: for each message the schema of its header and claims, and of the JWS as a string. */
import * as v from 'valibot';
import { described, nativePlatforms, platforms, pushToken } from '../../../core/devices/device.ts';
import { answerClaims, enrolmentProofs } from '../../../core/devices/protocol/claims.ts';
import { largestMessageBytes } from '../../../core/devices/protocol/compact.ts';
import type { MessageType } from '../../../core/devices/protocol/jws.ts';
import { browserPushServices } from '../../../core/devices/push-services.ts';
import { subscriptionSchema } from '../../../core/devices/subscription.ts';
import { exampleClaims, exampleHeaders } from './examples.ts';
import { ref, requestSchema, type JsonSchema } from './json-schema.ts';
import { digest, openObject, strictObject, text, type Members } from './objects.ts';

export const compactJws = text('JWS in compact serialization (RFC 7515), signed with ES256.', {
  pattern: String.raw`^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}$`,
  maxLength: largestMessageBytes,
});

const stamp: Members = {
  iat: {
    type: 'number',
    description:
      "Seconds since 1970, at most 5 minutes old and 60 seconds ahead of the service's clock; may have a fraction.",
  },
  jti: text('A new random value in each message.', { minLength: 1 }),
  aud: text('The base URL, as the QR code has it: `api`.', { format: 'uri' }),
  jkt: digest('The thumbprint (RFC 7638) of the key that signs the message.'),
  'exp?': { type: 'number', description: 'Seconds since 1970. From then on the message is refused.' },
  'nbf?': {
    type: 'number',
    description:
      "Seconds since 1970. The message is refused if it is more than 60 seconds ahead of the service's clock.",
  },
};

const identity: Members = {
  iss: text('`deviceId`.', { minLength: 1, maxLength: 128 }),
  tid: text('`tenantId`.', { minLength: 1, maxLength: 128 }),
  sub: text('`userId`.', { minLength: 1, maxLength: 128 }),
};

/** `forms`: the claims have one of these forms. */
type Message = { type: MessageType; claims: Members; forms?: JsonSchema[] };

/** What the service itself checks the claims by, with words on them. */
const checked = (
  schema: v.ObjectSchema<v.ObjectEntries, undefined>,
  words: Record<string, string> = {},
): Members =>
  Object.fromEntries(
    Object.entries(schema.entries).map(([name, entry]) => [
      entry.type === 'optional' ? `${name}?` : name,
      { ...requestSchema(entry), ...(words[name] !== undefined && { description: words[name] }) },
    ]),
  );

const passkey =
  'A WebAuthn credential that was created for this enrolment, with `attestation: "none"` and `userVerification: "required"`. Its ' +
  'challenge is the SHA-256 of `code`. All members but `publicKey`, a JWK, are in base64url without padding.';

const userVerification =
  'An assertion of the device\'s passkey with `userVerification: "required"`. Its challenge is the SHA-256 of ' +
  '`<challengeId>.<messageHash>.<contextHash>.<decision>`, with `.<detailsHash>` after it for a challenge with details. All members are in base64url without padding.';
const subscription: JsonSchema = {
  ...requestSchema(subscriptionSchema({ hosts: browserPushServices })),
  description:
    '`PushSubscription.toJSON()` of the Push API. `endpoint` is at a known push service: ' +
    `${browserPushServices.map((host) => `\`${host}\``).join(', ')}, or another one that the operator added.`,
};

/** Where pushes reach a device. */
const address: Members = {
  'pushToken?': { ...requestSchema(pushToken), description: 'Of an app from a store.' },
  'subscription?': subscription,
};

/** The two kinds of platforms have different members. */
const nativeForm = (members: JsonSchema, required: string[]): JsonSchema => ({
  required: ['pushToken', ...required],
  properties: { subscription: false, ...members },
});
const webForm = (members: JsonSchema, required: string[]): JsonSchema => ({
  required,
  properties: { pushToken: false, ...members },
});

const claims = {
  Enrolment: {
    type: 'omi-enrolment+jws',
    claims: {
      ...stamp,
      ...checked(enrolmentProofs, { code: '`code` of the QR code.', passkey }),
      platform: text('`web` for browsers, the others for apps from a store.', { enum: platforms }),
      ...checked(described),
      ...address,
    },
    forms: [
      nativeForm({ platform: { enum: nativePlatforms } }, ['platform']),
      webForm({ platform: { const: 'web' } }, ['platform']),
    ],
  },
  Request: {
    type: 'omi-request+jws',
    claims: {
      ...stamp,
      ...identity,
      htm: text('The method of the request.', { enum: ['GET', 'DELETE'] }),
      htu: text('The URL of the request, without a query.', { format: 'uri' }),
    },
  },
  Answer: {
    type: 'omi-response+jws',
    claims: {
      ...stamp,
      ...identity,
      ...checked(answerClaims, {
        challengeId: 'The same as in the path.',
        messageHash: 'base64url SHA-256 of the UTF-8 bytes of the message that was shown.',
        contextHash:
          'base64url SHA-256 of the UTF-8 bytes of `context` that was shown. Required: without it the answer is a `message-mismatch`.',
        detailsHash:
          'base64url SHA-256 of the UTF-8 bytes of `details` that were shown. Only for a challenge with details, which needs it.',
        decision: 'What the user decided.',
        reason: 'For `deny`; without it `user_declined`. `not_me`: the user did not start this.',
        number: 'Where number matching is on, for `confirm`: what the website shows, with its leading zeros.',
        userVerification,
      }),
    },
  },
  PushToken: {
    type: 'omi-push-token+jws',
    claims: { ...stamp, ...identity, ...address },
    forms: [nativeForm({}, []), webForm({}, ['subscription'])],
  },
  DeviceName: {
    type: 'omi-device-name+jws',
    claims: { ...stamp, ...identity, ...checked(v.pick(described, ['name'])) },
  },
} satisfies Record<string, Message>;

export type MessageName = keyof typeof claims;

const headerOf = (name: MessageName, type: MessageType): JsonSchema =>
  strictObject(
    `The header of a message \`${type}\`.`,
    {
      alg: { type: 'string', const: 'ES256' },
      typ: { type: 'string', const: type },
      ...(name === 'Enrolment'
        ? {
            jwk: { ...ref('PublicKey'), description: 'The public key of the new pair; no private member.' },
            'kid?': text('Ignored: the device has no id yet.'),
          }
        : { kid: text('`deviceId`, as in `iss`.') }),
    },
    { examples: [exampleHeaders[name]] },
  );

/** A string whose content has a schema: the way in which JSON Schema 2020-12 (Validation, 8.5) shows a JWT. */
const messageOf = (name: MessageName, type: MessageType): JsonSchema => ({
  ...compactJws,
  description: `A compact JWS \`${type}\`: header \`${name}Header\`, payload \`${name}Claims\`.`,
  contentMediaType: 'application/jose',
  contentSchema: {
    type: 'array',
    minItems: 2,
    prefixItems: [ref(`${name}Header`), ref(`${name}Claims`)],
  },
});

/** The component schemas of every device message. */
export const messageSchemas: Members = {
  CompactJws: compactJws,
  ...Object.fromEntries(
    Object.entries<Message>(claims).flatMap(([key, { type, claims, forms }]) => {
      const name = key as MessageName;
      const rest = { examples: [exampleClaims[name]], ...(forms && { oneOf: forms }) };
      return [
        [`${name}Message`, messageOf(name, type)],
        [`${name}Header`, headerOf(name, type)],
        [`${name}Claims`, openObject(`The claims of a message \`${type}\`.`, claims, rest)],
      ];
    }),
  ),
};
