const mayHaveArrived = 'The call may have arrived: repeat it with the same nonce.';

/** What the website should do, by the code of the error. */
const hints = {
  // This package throws these.
  'invalid-options': 'Correct the options of the constructor.',
  network: mayHaveArrived,
  timeout: mayHaveArrived,
  'unexpected-answer': 'Check the base URL, and any proxy before the service.',
  'token-refused': 'Check client id, client secret, token URL and scopes.',
  'invalid-callback': 'Answer with 400. Check the secret and the clock.',
  // The gateway sends no code.
  unauthorized: 'Check the token URL, and whether the client was removed.',
  forbidden: 'The operator must grant the client the scope of this call.',
  'not-found': 'Check the base URL.',
  'too-many-requests': 'Call less often.',
  // The service sends these.
  'invalid-request': 'Correct the fields in `errors`.',
  invalid_authorization_details: 'Correct the fields in `errors`.',
  'device-not-found': 'Offer the user to enrol a device.',
  'confirmation-not-found': 'Send the question first.',
  'group-not-found': 'Ask the members first.',
  'group-not-reachable': 'Ask other members: `errors` says who cannot be asked, and why.',
  'enrolment-not-found': 'Start a new enrolment.',
  'device-choice-required': 'Let the user choose a device, and name `deviceId`.',
  'nonce-already-used': 'Use a new nonce for each question.',
  'confirmation-pending':
    'Let the user answer the open question, withdraw it, or wait for `retryAfter` seconds.',
  'confirmation-required': 'Ask the user to confirm with the matching `purpose`, and pass its nonce.',
  'recovery-required': 'Send the user to the help desk: its client has the scope credential:omi:recovery.',
  'user-suspended': 'The help desk has suspended the user: do not carry the action out.',
  'already-decided': 'The user has already answered. Poll once more.',
  'too-many-notifications':
    'Wait for `retryAfter` seconds. The operator can lift the pause: `omi user limits --reset`.',
  'too-large': 'Shorten the request.',
  'unsupported-media-type': 'A proxy changed the content type: check the way to the service.',
  'temporarily-unavailable': 'Repeat the call after `retryAfter` seconds.',
};

/** Why a call failed, for programs: every code of the service that a website can get, and the package's own. */
export type OmiErrorCode = keyof typeof hints;

export const isKnown = (code: string): code is OmiErrorCode => Object.hasOwn(hints, code);

export const hintOf = (code: OmiErrorCode): string => hints[code];
