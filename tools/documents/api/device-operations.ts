import * as v from 'valibot';
import type { Route } from '../../../lambdas/routes.ts';
import { exampleAnswers } from './examples.ts';
import type { DeviceOperation } from './operation.ts';

type DeviceLambda = Extract<Route, { caller: 'device' }>['lambda'];

const example = (summary: string, value: unknown) => ({ summary, value });

const challengePath = v.object({ challengeId: v.string() });

export const deviceOperations: Record<DeviceLambda, DeviceOperation> = {
  'enrol-device': {
    summary: 'Enrol a device',
    description:
      'Make a P-256 key pair that never leaves the device, and send its public half as the header `jwk`, with the code of the ' +
      'QR code. Safe to repeat: the same key and code answer the same device.\n\n' +
      'Checked in this order: the message (400, 401), the code (404, 409, 410), the passkey (422), whether the user may have a further device (403), how ' +
      "many there are (409), the push token (400). A code that was refused for the user's devices stays usable until it expires.",
    signs: { message: 'Enrolment', in: 'body' },
    success: {
      status: 201,
      description: 'The device is enrolled, by this call or by the same one before.',
      content: {
        schema: 'EnrolledDevice',
        examples: { enrolled: example('Enrolled', exampleAnswers.enrolled) },
      },
    },
  },
  'list-challenges': {
    summary: 'Fetch the open challenges',
    description:
      'Call it when a push arrives, and whenever the app comes to the foreground: a push may be late or lost. The first call ' +
      'that shows a challenge sets its `openedAt`. A device that reads `push: "unreachable"` replaces its subscription or token, and sends it.',
    signs: { message: 'Request', in: 'header' },
    success: {
      status: 200,
      description: 'The challenges that wait for an answer.',
      content: {
        schema: 'ChallengeList',
        examples: {
          open: example('One is open', exampleAnswers.challenges),
          withDetails: example('With authorization details', exampleAnswers.challengesWithDetails),
          withNumbers: example('With numbers to pick from', exampleAnswers.challengesWithNumbers),
          none: example('None, and pushes must be set up again', { challenges: [], push: 'unreachable' }),
        },
      },
    },
  },
  'answer-challenge': {
    summary: 'Answer a challenge',
    description: `
The signed message is the evidence that the website gets: sign only what the user saw and decided.

Safe to repeat with the very same JWS: it answers the status again. Any other answer to a decided challenge is refused. A refused
message changes nothing, with two exceptions: a wrong number ends the confirmation as \`failed\`, and so does the third different
message with a wrong hash of message or details. A message that was refused for another reason may be sent again.`,
    path: challengePath,
    signs: { message: 'Answer', in: 'body' },
    success: {
      status: 200,
      description: 'Decided, by this message.',
      content: {
        schema: 'ChallengeAnswer',
        examples: { answered: example('Confirmed', exampleAnswers.answered) },
      },
    },
  },
  'refresh-push-token': {
    summary: 'Replace the push token or subscription',
    description:
      'Call it whenever the push provider gives the app another token, or the browser another subscription. A web app calls it at each ' +
      'start. It makes an `unreachable` device `active` again. Each call ' +
      'needs a later `iat` than the last accepted one; fractions of a second count.',
    signs: { message: 'PushToken', in: 'body' },
    success: { status: 204, description: 'Pushes go to the new token or subscription.' },
  },
  'rename-device': {
    summary: 'Rename this device',
    description:
      'Call it when the user gives the device another name: websites list it by this name, and a confirmation that removes it shows it. ' +
      'What was asked before keeps the name that it was asked with. An older `iat` than that of the last accepted name is refused.',
    signs: { message: 'DeviceName', in: 'body' },
    success: { status: 204, description: 'The device has this name.' },
  },
  'unregister-device': {
    summary: 'Remove this device',
    description:
      'Call it when the user removes the account from the app, then destroy the key. A confirmation that is open on the device ' +
      'becomes `cancelled`. A repeated call answers 401 `invalid-signature`: the device is gone.\n\n' +
      'If the tenant requires user verification, the JWS has the claim `userVerification`: an assertion of the passkey whose challenge ' +
      'is the SHA-256 of `unregister.<deviceId>.<jti>`. A device without a passkey is then removed by the website.',
    signs: { message: 'Request', in: 'header' },
    success: { status: 204, description: 'The device is removed.' },
  },
};
