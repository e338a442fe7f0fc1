/** What the website should do, by the code of the error. */
const hints: Record<string, string> = {
  // Of this package.
  'invalid-options': 'Correct the options of the constructor.',
  network: 'Check the connection to the service. The call may have arrived: repeat it with the same nonce.',
  timeout: 'The service is slow. The call may have arrived: repeat it with the same nonce.',
  'unexpected-answer': 'The answer is not from the service. Check the base URL, and what stands before it.',
  'token-refused': 'Check client id, client secret and token URL, and which scopes the client may ask for.',
  'invalid-callback': 'Answer with status 400, and do not use the content. Check the secret and the clock.',
  // Of the gateway, which sends no code.
  unauthorized: 'The access token is not valid: check the token URL, or whether the client was removed.',
  forbidden: 'The access token lacks the scope of this call: the operator grants it to the client.',
  'not-found': 'There is no such endpoint: check the base URL.',
  'too-many-requests': 'Call less often, after `retryAfter` seconds.',
  // Of the service.
  'invalid-request': 'Correct the members that `errors` names.',
  'device-not-found': 'The user has no such device: offer to enrol one.',
  'confirmation-not-found': 'The service does not know the nonce: it was not sent, or is too old.',
  'enrolment-not-found': 'The service does not know the enrolment: start a new one.',
  'device-choice-required': 'The user has several devices: let the user choose, and name `deviceId`.',
  'nonce-already-used': 'Use a new nonce for each question.',
  'confirmation-pending':
    'A question is open on the device: let the user answer it, withdraw it, or wait for `retryAfter` seconds.',
  'confirmation-required':
    'Ask the user to confirm with the matching `purpose`, and name the nonce of that confirmation.',
  'already-decided': 'The user was faster: poll once more, and use that answer.',
  'too-many-notifications': 'The user was asked too often: wait for `retryAfter` seconds.',
  'too-large': 'Shorten the request.',
  'temporarily-unavailable': 'Try again after `retryAfter` seconds, with the same nonce.',
};

export const hintOf = (code: string): string | undefined =>
  Object.hasOwn(hints, code) ? hints[code] : undefined;
