import type { RefusalCode } from '../../../core/kernel/refusal.ts';
import type { RouteLambda } from '../../../lambdas/routes.ts';

const any = ['temporarily-unavailable'] as const;
const website = [...any, 'invalid-request', 'unauthorized'] as const;
const staff = [...website, 'not-your-tenant', 'tenant-not-found'] as const;
const steering = [...website, 'export-not-found'] as const;
const device = [...any, 'invalid-signature', 'clock-skew'] as const;
const withBody = ['too-large', 'unsupported-media-type'] as const;
const push = [
  'invalid_authorization_details',
  'device-not-found',
  'nonce-already-used',
  'too-many-notifications',
  'confirmation-pending',
  'user-suspended',
] as const;

/** Every reason for which an operation may refuse a call. OAuth clients get errors of OAuth: see `client-operations.ts`. */
export const refusals: Record<RouteLambda, readonly RefusalCode[]> = {
  'list-devices': [...website],
  'remove-device': [...website, 'device-not-found', 'confirmation-required'],
  'set-account-label': [...website, ...withBody],
  'send-to-device': [...website, ...withBody, ...push],
  'send-to-user': [...website, ...withBody, ...push, 'device-choice-required'],
  'get-confirmation': [...website, 'confirmation-not-found'],
  'request-group': [
    ...website,
    ...withBody,
    'invalid_authorization_details',
    'nonce-already-used',
    'group-not-reachable',
  ],
  'get-group': [...website, 'group-not-found'],
  'withdraw-group': [...website, 'group-not-found', 'already-decided'],
  'withdraw-confirmation': [...website, 'confirmation-not-found', 'already-decided'],
  'start-enrolment': [...website, ...withBody, 'confirmation-required', 'recovery-required'],
  'get-enrolment': [...website, 'enrolment-not-found'],
  'record-events': [
    ...website,
    ...withBody,
    'wrong-tenant',
    'reserved-type',
    'event-id-already-used',
    'too-many-requests',
  ],
  'get-ledger': [...website],
  'get-ledger-hour': [...website],
  'get-checkpoint': [...website, 'not-in-log'],
  'get-inclusion-proof': [...website, 'not-in-log'],
  'get-consistency-proof': [...website, 'not-in-log'],
  'list-minutes': [...website, 'not-in-log'],
  'get-minute': [...website, 'not-in-log'],
  'list-deliveries': [...website],
  'list-exports': [...website],
  'test-export': [...steering, ...withBody, 'no-destination', 'not-verified', 'too-many-requests'],
  'pause-export': [...steering, ...withBody, 'no-destination', 'not-verified'],
  'resume-export': [...steering, ...withBody, 'no-destination', 'not-verified', 'paused-by-operator'],
  'start-replay': [...steering, ...withBody, 'no-destination', 'too-many-requests'],
  'get-replay': [...website, 'replay-not-found'],

  'create-signal-stream': [...website, ...withBody, 'too-many-streams'],
  'list-signal-streams': [...website, 'stream-not-found'],
  'update-signal-stream': [...website, ...withBody, 'stream-not-found'],
  'replace-signal-stream': [...website, ...withBody, 'stream-not-found'],
  'delete-signal-stream': [...website, 'stream-not-found'],
  'get-signal-status': [...website, 'stream-not-found'],
  'set-signal-status': [...website, ...withBody, 'stream-not-found'],
  'verify-signal-stream': [
    ...website,
    ...withBody,
    'stream-not-found',
    'stream-disabled',
    'too-many-requests',
  ],
  'poll-signals': [...website, ...withBody, 'stream-not-found'],

  'staff-list-tenants': [...any, 'unauthorized'],
  'staff-show-tenant': [...staff],
  'staff-find-user': [...staff, 'user-not-found'],
  'staff-change-user': [...staff, ...withBody, 'user-not-found', 'recovery-not-found'],
  'staff-remove-device': [...staff, 'device-not-found'],
  'staff-allow-recovery': [
    ...staff,
    ...withBody,
    'user-not-found',
    'recovery-not-found',
    'user-suspended',
    'another-member-required',
  ],
  'staff-check-caller': [
    ...staff,
    ...withBody,
    'user-not-found',
    'device-not-found',
    'user-suspended',
    'too-many-notifications',
    'confirmation-pending',
  ],
  'staff-get-check': [...website, 'not-your-tenant', 'confirmation-not-found'],
  'staff-compare-number': [
    ...website,
    ...withBody,
    'not-your-tenant',
    'confirmation-not-found',
    'already-decided',
  ],
  'staff-list-exports': [...website],
  'staff-steer-export': [...steering, ...withBody, 'no-destination', 'not-verified'],
  'staff-test-export': [...steering, ...withBody, 'no-destination'],
  'staff-start-replay': [...steering, ...withBody, 'no-destination'],
  'staff-get-replay': [...website, 'replay-not-found'],

  'preview-enrolment': [
    ...any,
    ...withBody,
    'invalid-request',
    'enrolment-not-found',
    'enrolment-code-used',
    'enrolment-code-expired',
  ],
  'enrol-device': [
    ...device,
    ...withBody,
    'invalid-request',
    'enrolment-not-found',
    'enrolment-code-used',
    'enrolment-code-expired',
    'user-verification-required',
    'user-verification-failed',
    'confirmation-required',
    'recovery-required',
    'too-many-devices',
    'user-suspended',
  ],
  'list-challenges': [...device, 'stale-request'],
  'answer-challenge': [
    ...device,
    ...withBody,
    'invalid-request',
    'challenge-not-found',
    'already-decided',
    'challenge-expired',
    'message-mismatch',
    'user-verification-required',
    'user-verification-failed',
    'passkey-counter',
    'number-required',
    'wrong-number',
  ],
  'refresh-push-token': [...device, ...withBody, 'invalid-request', 'stale-request'],
  'rename-device': [...device, ...withBody, 'invalid-request', 'stale-request'],
  'unregister-device': [
    ...device,
    'invalid-request',
    'user-verification-required',
    'user-verification-failed',
    'passkey-counter',
  ],
  'device-settings': [...any],
  'get-brand': [...any, 'tenant-not-found'],
  'get-logo': [...any, 'tenant-not-found'],
  'bc-authorize': [],
  'oauth-token': [],
  'openid-configuration': [...any],
  'omi-keys': [...any],
  'ssf-configuration': [...any],
  'ssf-jwks': [...any],
  'oauth-jwks': [...any],
};

/** What each refusal means for the caller, and what to do. */
const meanings: Record<RefusalCode, string> = {
  'invalid-request':
    'Members of the request are invalid; `errors` names every fault, at most 100. Correct the request.',
  invalid_authorization_details:
    'As `invalid-request`, where all faults are in `authorizationDetails`: `errors` names every fault, at most 100.',
  unauthorized:
    'The access token has expired, but the gateway accepted it from its cache. Get a new one and repeat the call.',
  'invalid-signature':
    'This device did not sign this message for this call, or the device is unknown: it may have been removed. ' +
    '`detail` says what was expected.',
  'clock-skew':
    "`iat` is more than 5 minutes old or 60 seconds ahead of the service's clock, `exp` has passed, or `nbf` is yet to come. " +
    'Sign again by `serverTime`, and send that.',
  'wrong-tenant':
    'An event names another tenant than the access token. Nothing was recorded; `errors` names the events.',
  'reserved-type':
    "The type is reserved for the service and its operator's commands, in both categories, or the event names `omi` as its " +
    'producer. Nothing was recorded; `errors` names the events.',
  'confirmation-required':
    'The tenant requires a confirmation by the user for this change of devices, and the call names none that allows it. Ask for one with ' +
    'the matching `purpose`, and repeat the call with its nonce when it is `confirmed`. Nothing was changed or used up.',
  'recovery-required':
    'The tenant requires a confirmation for each device but the first, the user had a device before, and has none left to confirm ' +
    'with. Only a token with the scope `credential:omi:recovery` makes a code now. Nothing was changed.',
  'user-suspended':
    'The help desk suspended the user. Nothing was sent or enrolled; only the help desk can end it.',
  'not-your-tenant':
    'You are not in the help desk of this tenant. The answer does not say whether it exists.',
  'another-member-required': 'You asked for this recovery. Another member of staff must agree.',
  'user-not-found': 'The service holds nothing of a user with exactly this id.',
  'recovery-not-found': 'No such recovery is open.',
  'tenant-not-found': 'There is no such tenant, it was deleted, or it has no logo.',
  'device-not-found': 'The user has no such device, or none at all.',
  'confirmation-not-found':
    'No confirmation that a website of this tenant asked for has this nonce, or it ended more than 24 hours ago.',
  'group-not-found': 'No group of this tenant has this nonce, or it ended more than 24 hours ago.',
  'enrolment-not-found': 'No such enrolment, or it is more than a day old.',
  'challenge-not-found': 'This device has no such challenge, or path and signed claims name different ones.',
  'export-not-found': 'Your tenant has never had a destination for events of this category.',
  'replay-not-found': 'No replay of this export has this id.',
  'stream-not-found': 'This client has no stream of signals with this id.',
  'too-many-streams': 'The client has ten streams. Delete one, or change one.',
  'stream-disabled': 'The stream transmits nothing. Enable it first, with `setSignalStatus`.',
  'not-in-log':
    'The log has no such event or minute, or there is no log of this generation. An event is in the log 2½ minutes after its acceptance. Its leaf is kept for 14 days.',
  'no-destination': 'Events of this category are not exported. The operator sets a destination.',
  'not-verified': 'The export is being validated, or its last test did not pass. Test it with `testExport`.',
  'paused-by-operator': 'Only the operator can resume the export.',
  'too-many-requests':
    'So many tests, or replays, were asked for in the last hour: 10 of each for an export. Or the tenant recorded as many events in this second as it may, usually 1,000. Wait for `Retry-After` seconds.',
  'device-choice-required': 'The user has several devices. Let them choose, and use `sendToDevice`.',
  'nonce-already-used':
    'The nonce belongs to a request of another client, or with another user, device, message, lifetime, purpose, origin or details. Make a new one.',
  'event-id-already-used':
    'An accepted event of the same aggregate has this id and other content. Nothing was recorded; `errors` names the events.',
  'confirmation-pending':
    'As many confirmations are open on the device as the tenant allows: one, by default. One ends when the user answers it, when ' +
    'you withdraw it, and at the latest after `Retry-After` seconds, when it expires.',
  'group-not-reachable':
    'So many members cannot be asked now that too few are left to confirm. `errors` names each, with the reason. Nobody was asked.',
  'too-many-devices': 'The user must remove a device first. The code stays usable until it expires.',
  'enrolment-code-used': 'Another device enrolled with this code. Ask the website for a new one.',
  'enrolment-code-expired':
    'The code is more than 10 minutes old, or a newer one was made for the same user. Ask the website for a new one.',
  'already-decided':
    'Another message decided the challenge, or it was cancelled. This answer changed nothing.',
  'challenge-expired': 'The answer came too late.',
  'stale-request':
    'The service has already accepted a message with this `iat` or a later one. It may have been this message.',
  'too-large': 'The body has more than 64 KiB.',
  'unsupported-media-type': 'The header `Content-Type` is not that of this operation.',
  'message-mismatch':
    '`messageHash`, `contextHash` or `detailsHash` is not the hash of what was sent, or is missing. The third different answer of this ' +
    'kind ends the confirmation as `failed`.',
  'number-required':
    'Number matching is on: ask the user for the number, and include it in the signed claims.',
  'wrong-number': 'The number is not the one that the website shows. The confirmation has `failed`.',
  'user-verification-required':
    'The tenant requires that the user is verified, and the message has no proof of it: include `userVerification`, or `passkey` ' +
    'at the enrolment. Nothing was changed or used up.',
  'user-verification-failed':
    'The passkey or its assertion is not valid for this message; `detail` says what was expected. Nothing was changed or used up.',
  'passkey-counter':
    'The counter of the passkey did not grow: it is a copy, or was restored. Nothing was changed or used up; the device must be enrolled again.',
  'too-many-notifications': 'The user was asked too often. Nothing was sent; wait for `Retry-After` seconds.',
  'temporarily-unavailable':
    'The service cannot answer now. Repeat the same call after `Retry-After` seconds.',
};

const largeMessage = { 'too-large': 'The message has more than 8 KiB.' };

/** Where a refusal means something else than it usually does. */
const ownMeanings: Partial<Record<RouteLambda, Partial<Record<RefusalCode, string>>>> = {
  'staff-get-check': { 'confirmation-not-found': 'The help desk asked this user nothing of this kind.' },
  'staff-compare-number': {
    'confirmation-not-found': 'The help desk asked this user nothing of this kind.',
    'already-decided': 'Three numbers were compared, or the question has ended. Ask the caller again.',
  },
  'enrol-device': {
    ...largeMessage,
    'confirmation-required':
      'The user has a device meanwhile, or the device that confirmed was removed, so the code does not allow a further device. ' +
      'The website has to ask the user to confirm, and to make another code.',
    'recovery-required':
      'The user had a device before, and has none left to confirm with. Only the help desk of the website can make a code.',
  },
  'verify-signal-stream': {
    'too-many-requests':
      '60 verifications of a stream were asked for in the last hour. Wait for `Retry-After` seconds.',
  },
  'list-challenges': {
    'stale-request':
      'A challenge was shown to this message before, or to one with a later `iat`. Sign again, with a new `jti`.',
  },
  'answer-challenge': largeMessage,
  'refresh-push-token': largeMessage,
  'rename-device': largeMessage,
  'record-events': {
    'too-large': 'The body has more than 3 MiB, or more than 100 events. Divide it into several calls.',
  },
  'request-group': {
    'nonce-already-used':
      'The nonce belongs to a request of another client, to a confirmation, or to a group with other members, message, lifetime, origin or details. Make a new one.',
  },
  'withdraw-group': {
    'already-decided':
      'The group is approved, denied or expired. Look at it once more, and use its `status`.',
  },
  'withdraw-confirmation': {
    'already-decided':
      'The confirmation has already ended: answered, expired, failed, or cancelled with the device. Poll it once more, and use its `status`.',
  },
};

export const meaningOf = (code: RefusalCode, lambda: RouteLambda): string =>
  ownMeanings[lambda]?.[code] ?? meanings[code];

export const hasOwnMeaning = (code: RefusalCode, lambda: RouteLambda): boolean =>
  ownMeanings[lambda]?.[code] !== undefined;
