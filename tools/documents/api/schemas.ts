/**
 * What the service answers, as strict JSON Schema: a member that is not written here is never sent.
 * Defined apart from the code that answers, so that tests can hold one against the other.
 */
import { platforms } from '../../../core/devices/device.ts';
import { groupSize } from '../../../core/confirmations/groups/group.ts';
import { mostOpenPerDevice, userVerificationModes } from '../../../core/tenants/tenant.ts';
import { confirmationSchemas, groupSchemas } from './confirmation-schemas.ts';
import { exportSchemas } from './export-schemas.ts';
import { ledgerSchemas } from './ledger-schemas.ts';
import { signalsSchemas } from './signals-schemas.ts';
import { logSchemas } from './log-schemas.ts';
import { staffSchemas } from './staff-schemas.ts';
import { openIdSchemas } from './openid-schemas.ts';
import { compactJws } from './device-messages.ts';
import { ref } from './json-schema.ts';
import { contextMembers, contextSchemas } from './context-schema.ts';
import { deviceId, digest, strictObject, text, time, type Members } from './objects.ts';

const base64url32 = '^[A-Za-z0-9_-]{43}$';

const basics: Members = {
  Time: text('RFC 3339, in UTC, with milliseconds.', {
    format: 'date-time',
    pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`,
  }),
  Digest: text('SHA-256 of UTF-8 text, in base64url without padding.', { pattern: base64url32 }),
  PublicKey: strictObject('A P-256 public key as a JWK (RFC 7517).', {
    kty: { type: 'string', const: 'EC' },
    crv: { type: 'string', const: 'P-256' },
    x: { type: 'string', pattern: base64url32 },
    y: { type: 'string', pattern: base64url32 },
  }),
};

const devices: Members = {
  Device: strictObject(
    'A device of a user, as a website sees it. Its push token or subscription stays in the service.',
    {
      deviceId,
      name: text('The name that the device gave itself.'),
      platform: { type: 'string', enum: platforms },
      'model?': text('As the app reported it at the enrolment.'),
      'osVersion?': text('As the app reported it at the enrolment.'),
      'appVersion?': text('As the app reported it at the enrolment.'),
      status: text(
        '`unreachable`: the push token or subscription is no longer valid at the push provider. The device is `active` again with the next ' +
          'push that reaches it, or with a new token or subscription.',
        { enum: ['active', 'unreachable'] },
      ),
      enrolledAt: time('When the device enrolled.'),
      'lastSeenAt?': time(
        'When the app last asked for challenges or renewed its push token, to within 5 minutes.',
      ),
      keyThumbprint: digest(
        "The thumbprint of the device's public key (RFC 7638). It never changes: keep it from the enrolment on, and compare it with that of " +
          '`deviceKey`.',
      ),
      receipt: ref('Receipt'),
    },
  ),
  Receipt: {
    ...compactJws,
    description:
      'The signed statement of the service that it enrolled a key for a user: a JWS `omi-receipt+jwt`, header `ReceiptHeader`, payload ' +
      '`ReceiptClaims`. Verify it with the key of `omiKeys` that the header names, and whose `for` is `receipt`.',
    contentMediaType: 'application/jose',
    contentSchema: {
      type: 'array',
      minItems: 2,
      prefixItems: [ref('ReceiptHeader'), ref('ReceiptClaims')],
    },
  },
  ReceiptHeader: strictObject('The header of a receipt.', {
    alg: { type: 'string', const: 'ES256' },
    typ: { type: 'string', const: 'omi-receipt+jwt' },
    kid: text('Of the key at `omiKeys`.'),
  }),
  ReceiptClaims: strictObject('The claims of a receipt.', {
    iss: text('The base URL of the service.', { format: 'uri' }),
    iat: { type: 'integer', description: 'When the device enrolled, in seconds since 1970.' },
    sub: text('The user.'),
    tid: text('The tenant.', { format: 'uuid' }),
    deviceId,
    jkt: digest("The thumbprint of the device's public key (RFC 7638)."),
    platform: { type: 'string', enum: platforms },
    'passkey?': strictObject('The passkey that verifies the user. Absent if the device has none.', {
      id: text('The id of the credential, in base64url.'),
      jkt: digest("The thumbprint of the passkey's public key."),
      rpId: text('The host to which it belongs.'),
    }),
    by: text(
      'What allowed the enrolment. `first`: nothing was asked for, because the user never had a device. `free`: nothing, by the ' +
        "tenant's policy. `confirmation`: one by the user, on another device. `recovery`: the scope for users who lost every device. " +
        '`test`: the user is none.',
      { enum: ['first', 'free', 'confirmation', 'recovery', 'test'] },
    ),
    'challengeId?': digest('Which confirmation, with `confirmation`.'),
    client: text('The client that asked for the code.'),
  }),
  DeviceList: strictObject('The devices of a user.', {
    devices: { type: 'array', items: ref('Device'), description: 'Newest enrolment first.' },
  }),
};

const waiting = strictObject('No device yet.', {
  status: text('`expired`: make a new code.', { enum: ['waiting', 'expired'] }),
});
const completed = strictObject('A device enrolled.', {
  status: { type: 'string', const: 'completed' },
  device: { ...ref('Device'), description: 'As it was when it enrolled.' },
});

const enrolments: Members = {
  Enrolment: strictObject('An invitation to enrol one device.', {
    enrolmentId: digest('Poll the status of the enrolment with it.'),
    qr: text('The content of the QR code: show it only to this user, and do not change it.', {
      format: 'uri',
      pattern: String.raw`^https?://[^#]+/enrol#v=1&api=https?://[^&#]+&code=[A-Za-z0-9_-]{22,}$`,
    }),
    expiresAt: time('When the code expires: after 10 minutes.'),
  }),
  EnrolmentStatus: { description: 'The state of an invitation.', oneOf: [waiting, completed] },
};

/** Whom an app names to people. */
const shownAccount = {
  tenant: text("The tenant's registered name."),
  'account?': text(
    "The label that the website gave the user's account. Show it in place of the user id; without it, show `tenant` alone.",
  ),
};

const deviceAnswers: Members = {
  Brand: strictObject('How apps present a tenant to its users.', {
    name: text("The name of the brand; without one the tenant's registered name."),
    'color?': text('Of the brand.', { pattern: '^#[0-9a-f]{6}$' }),
    'logoUrl?': text('An SVG or PNG. It may change, and the address stays.', { format: 'uri' }),
    'supportUrl?': text("Where the tenant's users find help.", { format: 'uri' }),
    'detailLabels?': {
      type: 'object',
      description:
        "What to call the members of details, by their `type` and the member's name; a nested member is named like `creditorAccount.iban`. They are not signed.",
      additionalProperties: {
        type: 'object',
        additionalProperties: {
          description: 'A label, or labels by language.',
          oneOf: [{ type: 'string' }, { type: 'object', additionalProperties: { type: 'string' } }],
        },
      },
    },
  }),
  EnrolmentPreview: strictObject('Whose account a device would be enrolled for.', {
    ...shownAccount,
    'brand?': { ...ref('Brand'), description: 'Absent if the tenant has none.' },
    expiresAt: time('When the code expires.'),
    userVerification: text(
      '`required`: the enrolment needs the claim `passkey`. `preferred`: offer to create one.',
      { enum: userVerificationModes },
    ),
  }),
  EnrolledDevice: strictObject('The identity of the device.', {
    deviceId: text('`iss` and `kid` of its messages.', { format: 'uuid' }),
    tenantId: text('`tid` of its messages.', { format: 'uuid' }),
    userId: text('`sub` of its messages. It may mean nothing to people: show `account`.'),
    ...shownAccount,
    receipt: ref('Receipt'),
  }),
  Challenge: strictObject(
    'A question that waits for an answer from this device.',
    {
      challengeId: digest('Sign this.'),
      ...shownAccount,
      message: text('Show this to the user, in full and unchanged.'),
      messageHash: digest('Compute it from the message that was shown, and sign it.'),
      'details?': text(
        'Authorization details (RFC 9396): the text of a JSON list of objects. Show every member beside the message.',
      ),
      'detailsHash?': digest('Compute it from the text of `details` that was shown, and sign it.'),
      ...contextMembers,
      createdAt: time('When the website asked.'),
      expiresAt: time("By the service's clock."),
      expiresInMs: {
        type: 'integer',
        exclusiveMinimum: 0,
        description: "Milliseconds left. A countdown from this value does not depend on the device's clock.",
      },
      'votes?': strictObject(
        'Of a vote in a group, if the tenant lets its members see the others: what has come so far. It changes, and is not signed.',
        {
          confirmed: { type: 'integer', minimum: 0, description: 'How many members have confirmed.' },
          confirmedBy: {
            type: 'array',
            items: { type: 'string' },
            maxItems: groupSize.most,
            description: 'The labels of their accounts, of those who have one, in the order of their votes.',
          },
        },
      ),
      'returnTo?': text(
        'Offer it after the answer, as a link back to `requester.client` of the context. It is not signed.',
        {
          format: 'uri',
        },
      ),
      'matchNumbers?': {
        type: 'array',
        items: { type: 'string', pattern: '^[0-9]{2}$' },
        minItems: 3,
        maxItems: 3,
        uniqueItems: true,
        description:
          'Let the user pick the number that the website shows. Without this member, and after `number-required`, let the user type it.',
      },
      'typedNumber?': {
        type: 'boolean',
        const: true,
        description:
          'The website shows a number of 6 digits: let the user type it before you verify the user.',
      },
    },
    { dependentRequired: { details: ['detailsHash'], detailsHash: ['details'] } },
  ),
  ChallengeList: strictObject('The open challenges of the device.', {
    challenges: {
      type: 'array',
      items: ref('Challenge'),
      // And one of the help desk.
      maxItems: mostOpenPerDevice + 1,
      description:
        'The next to expire first. At most one, unless the tenant allows more, and one more by which the help desk tells of a recovery.',
    },
    push: text('`unreachable`: no push reaches the device until it sends a new token or subscription.', {
      enum: ['on', 'unreachable'],
    }),
  }),
  DeviceSettings: strictObject('What a web app must know of the service.', {
    webPush: strictObject('For `PushManager.subscribe()`.', {
      applicationServerKey: text('The VAPID public key (RFC 8292): an uncompressed point of P-256.', {
        pattern: '^[A-Za-z0-9_-]{87}$',
      }),
    }),
    rpId: text('`rp.id` of passkeys (WebAuthn).'),
    origins: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'Where passkeys may be used.',
    },
  }),
  ...openIdSchemas,
  ChallengeAnswer: strictObject('The decision.', {
    status: { type: 'string', enum: ['confirmed', 'denied'] },
  }),
};

/** The component schemas of every answer but problems. */
export const answerSchemas: Members = {
  ...basics,
  ...devices,
  ...confirmationSchemas,
  ...groupSchemas,
  ...contextSchemas,
  ...enrolments,
  ...deviceAnswers,
  ...exportSchemas,
  ...ledgerSchemas,
  ...logSchemas,
  ...staffSchemas,
  ...signalsSchemas,
};
