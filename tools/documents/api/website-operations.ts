import type { Route } from '../../../lambdas/routes.ts';
import {
  devicePath,
  enrolmentQuery,
  nonceQuery,
  removalQuery,
  userPath,
  withdrawalQuery,
} from '../../../core/http/request-schemas.ts';
import { recordEvents } from './event-operation.ts';
import { exampleAnswers, exampleRequests } from './examples.ts';
import { exportOperations } from './export-operations.ts';
import { signalsOperations } from './signals-operations.ts';
import type { Content, Success, WebsiteOperation } from './operation.ts';

type WebsiteLambda = Extract<Route, { caller: 'website' }>['lambda'];

const example = (summary: string, value: unknown) => ({ summary, value });

const push: Content = {
  schema: 'PushRequest',
  examples: {
    push: example('Ask before a payment method changes', exampleRequests.push),
    withDetails: example('Ask before a payment, with details', exampleRequests.pushWithDetails),
    removeDevice: example('Ask before a device is removed', exampleRequests.pushToRemove),
    addDevice: example('Ask before a further device is added', exampleRequests.pushToAdd),
  },
};

const accepted: Success = {
  status: 202,
  description:
    'The confirmation: a new one, or the one that an earlier call with the same request made, in its current state.',
  content: {
    schema: 'Confirmation',
    examples: {
      accepted: example('Sent', exampleAnswers.accepted),
      repeated: example('Sent by an earlier call', exampleAnswers.acceptedBefore),
      withNumber: example('Sent, with number matching', exampleAnswers.acceptedWithNumber),
    },
  },
  retryAfter: true,
};

const sending = (what: string, checks: string) => `
${what}

Checked in this order: ${checks}.

Safe to repeat: the same nonce with the same user, device, message, lifetime, purpose, origin and details answers the same confirmation again,
in its current state. The answer has \`repeated: true\`, and \`matchCode\` if number matching is on. It pushes nothing.`;

export const websiteOperations: Record<WebsiteLambda, WebsiteOperation> = {
  'list-devices': {
    summary: "List a user's devices",
    description: 'An unknown user has an empty list.',
    path: userPath,
    success: {
      status: 200,
      description: 'The devices, newest enrolment first.',
      content: {
        schema: 'DeviceList',
        examples: {
          one: example('One device', exampleAnswers.devices),
          none: example('None', { devices: [] }),
        },
      },
    },
  },
  'remove-device': {
    summary: 'Remove a device',
    description:
      'The device can no longer call the service. A confirmation that is open on it becomes `cancelled` (`device_removed`). ' +
      'A repeated call answers 404.\n\n' +
      'If the tenant requires a confirmation (setting `furtherDevices`: `confirm`), `confirmation` is the nonce of a confirmation with ' +
      'the purpose `remove-device` and this device as `subjectDeviceId`. It must be by this user, confirmed in the last 10 minutes, and ' +
      'not used before. It must be on a device that the user still has, which may be the one to remove. The removal uses it up. A token ' +
      'that also has the scope `credential:omi:recovery` needs none.\n\n' +
      'Checked in this order: path and query (400), the device (404), the confirmation (403). A refused call uses nothing up.',
    path: devicePath,
    query: removalQuery,
    success: { status: 204, description: 'The device is removed.' },
  },
  'send-to-device': {
    summary: 'Ask for a confirmation on a device',
    description: sending(
      "Sends a push notification to one of the user's devices.",
      'the body (400), the device (404), the nonce (409, or the answer again), the limits (429), an open confirmation (409)',
    ),
    path: devicePath,
    body: push,
    success: accepted,
  },
  'send-to-user': {
    summary: "Ask for a confirmation on the user's only device",
    description: sending(
      'As `sendToDevice`, for a user with one device. A repeated call answers the same confirmation, ' +
        'also if the user has another device since, or lost the first one.',
      'the body (400), a device (404), no choice between several (409), the nonce (409, or the answer again), the limits ' +
        '(429), an open confirmation (409)',
    ),
    path: userPath,
    body: push,
    success: accepted,
  },
  'get-confirmation': {
    summary: 'Poll a confirmation',
    description:
      'Answers 200 for every nonce that a website of the tenant used, in every state: decide only by `status`. What an OpenID ' +
      'Connect client asked is between that client and the token endpoint. Readable for at least ' +
      '24 hours after the confirmation ended.',
    query: nonceQuery,
    success: {
      status: 200,
      description: 'The confirmation as it is now.',
      content: {
        schema: 'PolledConfirmation',
        examples: {
          pending: example('The app has it open', exampleAnswers.pending),
          confirmed: example('Confirmed', exampleAnswers.confirmed),
          denied: example('The user did not start this', exampleAnswers.denied),
          expired: example('Expired', exampleAnswers.expired),
        },
      },
      retryAfter: true,
    },
  },
  'request-group': {
    summary: 'Ask several users, of whom some must confirm',
    description: `
For what one person may not decide alone: a large payment, an order of an AI agent, a release. Each member is asked on all devices, without a
number to match. The group is \`approved\` as soon as \`required\` members have confirmed, and \`denied\` as soon as that is not possible any more. The votes
that are open then become \`cancelled\` (\`group_decided\`).

The vote of a member who has no device, or may not be asked now, is \`failed\` (\`not_reachable\`). If too few are left, nobody is asked.

Checked in this order: the body (400), the nonce (409, or the answer again), the members (409).

Safe to repeat: the same nonce with the same members, message, lifetime, origin and details answers the same group again, in its current state.
The answer has \`repeated: true\`. It pushes nothing.`,
    body: {
      schema: 'GroupRequest',
      examples: { group: example('One of two must confirm', exampleRequests.group) },
    },
    success: {
      status: 202,
      description:
        'The group: a new one, or the one that an earlier call with the same request made, in its current state.',
      content: {
        schema: 'Group',
        examples: { requested: example('One member can be asked', exampleAnswers.groupRequested) },
      },
      retryAfter: true,
    },
  },
  'get-group': {
    summary: 'Look at a group',
    description:
      'Answers 200 for every nonce of a group that a website of the tenant asked for, in every state: decide only by `status`, and verify the ' +
      'evidence of the votes. Readable for at least 24 hours after its expiry.',
    query: nonceQuery,
    success: {
      status: 200,
      description: 'The group as it is now.',
      content: {
        schema: 'Group',
        examples: { approved: example('Approved', exampleAnswers.groupApproved) },
      },
      retryAfter: true,
    },
  },
  'withdraw-group': {
    summary: 'Withdraw a group',
    description:
      'A pending group becomes `cancelled`, and its open votes with it (`withdrawn`): each counts as a question to its member that was ' +
      'withdrawn. Safe to repeat.',
    query: nonceQuery,
    success: { status: 204, description: 'The group is withdrawn, by this call or by an earlier one.' },
  },
  'withdraw-confirmation': {
    summary: 'Withdraw a confirmation',
    description: `
Call it when the user gives up on your website: cancels, goes back, or logs out. A pending confirmation becomes \`cancelled\` with the
reason \`withdrawn\`; the app no longer lists it, and an answer that comes later is refused. The device is free for the next push at
once. A push that was shown already stays on the screen until the user opens it: the app then finds nothing to answer.

If the user answers at the same moment, exactly one of the two counts. The push counts neither for the limits nor as an unsuccessful end. But
10 withdrawals in an hour are a limit of their own: then nobody can ask the user until the first of them is an hour old.

With \`userId\` in place of \`nonce\`, for example at the logout, it withdraws everything that your client has open for this user, on all
devices. What other clients asked stays. It answers 204 also if nothing is open, or if the user answers meanwhile. Send exactly one of the three.

A client that asked by CIBA withdraws its request with \`authReqId\`, the \`auth_req_id\`. To other clients, and with \`nonce\` or \`userId\`, such a request does not exist.

Safe to repeat: a confirmation that was withdrawn before answers 204 again.`,
    query: withdrawalQuery,
    success: {
      status: 204,
      description:
        'The confirmation is withdrawn, by this call or by an earlier one; or with `userId`, your client has nothing open for the user.',
    },
  },
  'set-account-label': {
    summary: "Set the label of a user's account",
    description:
      'What apps show in place of the user id, on all devices of the user: for when the user or the account is renamed. A device shows it ' +
      'with the next challenge. It can be set before the first device enrols, and stays until it is replaced or removed. Safe to repeat.',
    path: userPath,
    body: {
      schema: 'LabelRequest',
      examples: {
        label: example('A label', exampleRequests.label),
        none: example('None any more', exampleRequests.noLabel),
      },
    },
    success: { status: 204, description: 'The label is set.' },
  },
  'start-enrolment': {
    summary: 'Make a QR code to enrol a device',
    description:
      'Call it for a user who is logged in, and show `qr` only to this user: the first device that scans it becomes a device of the ' +
      'user. The code works once, for 10 minutes. Not idempotent: a repeated call makes another code, and ends all codes ' +
      'of the user before it.\n\n' +
      'A tenant may require a confirmation for further devices (setting `furtherDevices`: `confirm`). If the user has a device, also an ' +
      '`unreachable` one, `confirmation` is then the nonce of a confirmation with the purpose `add-device`. It must be by this user, ' +
      'confirmed in the last 10 minutes, on a device that the user still has, and not used before. This one code uses it up: if the ' +
      'answer is lost, ask the user again. A token that also has the scope `credential:omi:recovery` needs none. A user who had a device ' +
      'before and has none left, whoever removed it, gets a code only with that scope (403 `recovery-required`).\n\n' +
      'Checked in this order: the body (400), the confirmation (403). It is checked again when a device uses the code: a code ' +
      'without a confirmation is refused once the user has, or had, a device.',
    body: {
      schema: 'EnrolmentRequest',
      examples: {
        enrolment: example('For a user', exampleRequests.enrolment),
        labelled: example('With the label of the account', exampleRequests.labelledEnrolment),
        further: example('For a further device', exampleRequests.furtherEnrolment),
      },
    },
    success: {
      status: 201,
      description: 'The enrolment.',
      content: {
        schema: 'Enrolment',
        examples: { enrolment: example('A new code', exampleAnswers.enrolment) },
      },
    },
  },
  'get-enrolment': {
    summary: 'Poll an enrolment',
    description: 'Poll every 2 seconds while the QR code is shown.',
    query: enrolmentQuery,
    success: {
      status: 200,
      description: 'The state of the code.',
      content: {
        schema: 'EnrolmentStatus',
        examples: {
          waiting: example('Not scanned yet', exampleAnswers.enrolmentWaiting),
          completed: example('A device enrolled', exampleAnswers.enrolmentCompleted),
          expired: example('Too late', { status: 'expired' }),
        },
      },
    },
  },
  'record-events': recordEvents,
  ...exportOperations,
  ...signalsOperations,
};
