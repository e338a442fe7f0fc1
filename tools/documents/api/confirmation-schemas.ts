import { contextMembers } from './context-schema.ts';
import { ref } from './json-schema.ts';
import { deviceId, digest, strictObject, text, time, userId, type Members } from './objects.ts';

/** How a confirmation can end. */
export const endStatuses = ['confirmed', 'denied', 'expired', 'cancelled', 'failed'] as const;

/** What a confirmation has wherever it is shown, in two parts: its status lies between them. */
const identity: Members = {
  challengeId: digest(
    'What the device answers: the digest of `<tenantId>`, a line feed (U+000A) and `<nonce>`.',
  ),
  tenantId: text('Your tenant: that of the access token that asked for the confirmation.', {
    format: 'uuid',
  }),
  userId,
  'deviceId?': text(
    'The device that is asked, or that answered. Absent while all devices of the user are asked.',
    { format: 'uuid' },
  ),
  'deviceIds?': {
    type: 'array',
    minItems: 1,
    items: deviceId,
    description:
      'The devices that are asked, of a question to all devices of the user: fixed when it was asked.',
  },
  messageHash: digest('The digest of the message. The device signs the digest instead of the message.'),
  'detailsHash?': digest(
    'The digest of the authorization details, as `JSON.stringify` writes the list. The device signs it, too.',
  ),
  ...contextMembers,
};
const state: Members = {
  'reason?': text(
    'Why. `denied`: `user_declined` or `not_me` (the user did not start this: think of an attack). `failed`: ' +
      '`wrong_number`, `too_many_bad_responses`, or of a vote `not_reachable`. `cancelled`: `device_removed`, `withdrawn` by the website, or of a ' +
      'vote `group_decided`.',
    {
      enum: [
        'user_declined',
        'not_me',
        'wrong_number',
        'too_many_bad_responses',
        'device_removed',
        'withdrawn',
        'group_decided',
        'not_reachable',
      ],
    },
  ),
  delivery: text(
    'The result of the push. It does not affect `status`, because the app can fetch the challenge without a push. ' +
      '`unreachable`: the push provider no longer knows the device.',
    { enum: ['sent', 'failed', 'unreachable'] },
  ),
  createdAt: time('When the confirmation was asked for.'),
  'openedAt?': time('When the app first fetched the challenge.'),
  'decidedAt?': time('When the status became final. An expired confirmation has none.'),
  expiresAt: time('When it expires, if nobody answers before.'),
  interval: { type: 'integer', enum: [1, 2], description: 'Seconds to wait before the next poll.' },
};
const proof: Members = {
  userVerified: {
    type: 'boolean',
    description:
      'The device proved with its passkey that it verified its user for this answer: by fingerprint, face or PIN.',
  },
  'evidence?': {
    ...ref('CompactJws'),
    description: "The device's signed answer, an `AnswerMessage`: with every `confirmed` and `denied`.",
  },
  'deviceKey?': {
    ...ref('PublicKey'),
    description: 'The key that verifies `evidence`; it stays here after the device was removed.',
  },
  'receipt?': {
    ...ref('Receipt'),
    description: "The device's receipt: the service's signed statement that it enrolled `deviceKey`.",
  },
  'passkeyKey?': {
    ...ref('PublicKey'),
    description: 'The key that verifies the claim `userVerification` in `evidence`, if `userVerified`.',
  },
};

/** A member needs others. */
const dependentRequired = {
  passkeyKey: ['evidence'],
  evidence: ['deviceKey', 'receipt', 'decidedAt'],
  deviceKey: ['evidence'],
  receipt: ['evidence'],
  reason: ['decidedAt'],
};

const groupMembers: Members = {
  groupId: digest(
    'The digest of `<tenantId>`, `<nonce>`, `<required>` and the sorted members, with a line feed (U+000A) between them.',
  ),
  status: text(
    '`approved`: as many members confirmed as must. `denied`: too few are left who could. Both come at the deciding vote, and end the ' +
      'votes that are still open.',
    { enum: ['pending', 'approved', 'denied', 'expired', 'cancelled'] },
  ),
  required: { type: 'integer', minimum: 1, description: 'How many members must confirm.' },
  votes: {
    type: 'array',
    maxItems: 20,
    items: ref('Vote'),
    description: 'In the order of the members. That of a user who was erased is missing.',
  },
  createdAt: time('When the members were asked.'),
  'decidedAt?': time('When the status became final. An expired group has none.'),
  expiresAt: time('When it expires, if it is not decided before.'),
};

/** Of groups. A vote is a confirmation without a nonce. */
export const groupSchemas: Members = {
  Vote: strictObject(
    'The question to one member of a group, on all devices of the user, and its state. Its `challengeId` is the digest of `<groupId>`, a line ' +
      'feed (U+000A) and `<userId>`.',
    {
      ...identity,
      status: text('`pending` changes to one of the others, which are final.', {
        enum: ['pending', ...endStatuses],
      }),
      ...state,
      ...proof,
    },
    { dependentRequired },
  ),
  Group: strictObject('One question to several users, of whom some must confirm, and its state.', {
    nonce: text('The nonce of the request.'),
    ...groupMembers,
    'repeated?': {
      type: 'boolean',
      const: true,
      description:
        'An earlier call with this nonce made the group; this call pushed nothing. Only the answer of `requestGroup` has it.',
    },
  }),
  EndedGroup: strictObject('A group that has ended, without its nonce.', groupMembers),
  GroupCallback: strictObject('The end of a group, as its website is told.', {
    type: text('`group.` and the status.', {
      enum: ['approved', 'denied', 'expired', 'cancelled'].map((status) => `group.${status}`),
    }),
    timestamp: time('When the group ended.'),
    data: ref('EndedGroup'),
  }),
};

export const confirmationSchemas: Members = {
  Confirmation: strictObject(
    'One question to a user, and its state.',
    {
      nonce: text('The nonce of the request.'),
      ...identity,
      status: text('`pending` changes to one of the others, which are final.', {
        enum: ['pending', ...endStatuses],
      }),
      ...state,
      'matchCode?': text(
        'The number to show to the user, who repeats it on the device: 2 digits to pick, or 6 to type. Only the answers ' +
          'of `sendToDevice` and `sendToUser` have it, and only where number matching is on.',
        { pattern: '^([0-9]{2}|[0-9]{6})$' },
      ),
      'repeated?': {
        type: 'boolean',
        const: true,
        description:
          'An earlier call with this nonce made the confirmation; this call pushed nothing. Only the answers of `sendToDevice` and ' +
          '`sendToUser` have it.',
      },
      ...proof,
    },
    { dependentRequired },
  ),
  EndedConfirmation: strictObject(
    'A confirmation that has ended, without its nonce: whoever reads the logs of a receiver of call-backs could act as the website by it.',
    { ...identity, status: text('It is final.', { enum: endStatuses }), ...state, ...proof },
    { dependentRequired },
  ),
  Callback: strictObject('The end of a confirmation, as its website is told.', {
    type: text('`confirmation.` and the status.', {
      enum: endStatuses.map((status) => `confirmation.${status}`),
    }),
    timestamp: time('When the confirmation ended.'),
    data: ref('EndedConfirmation'),
  }),
  PolledConfirmation: {
    description:
      'A `Confirmation` without `matchCode` and `repeated`, which only the answers of a push have.',
    allOf: [ref('Confirmation'), { type: 'object', properties: { matchCode: false, repeated: false } }],
  },
};
