import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  enrolmentBody,
  groupBody,
  labelBody,
  previewBody,
  pushBody,
} from '../../../core/http/request-schemas.ts';
import {
  checkBody,
  numberBody,
  recoveryBody,
  steeringBody,
  userActBody,
} from '../../../core/staff/requests.ts';
import {
  changedStream,
  newStream,
  pollBody,
  statusBody,
  verificationBody,
} from '../../../core/signals/requests.ts';
import { replayBody, noMembers, testBody } from '../../../core/http/export-request.ts';
import { lifetimes } from '../../../core/tenants/tenant.ts';
import { recoveryScope, routeKeyOf, routes, scopesOf } from '../../../lambdas/routes.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { messageSchemas } from './device-messages.ts';
import { eventSchemas } from './event-schemas.ts';
import { describedSchema, type JsonSchema } from './json-schema.ts';
import { paths } from './paths.ts';
import { problemExamples } from './problem-examples.ts';
import { problemSchemas } from './problem-schemas.ts';
import { refusalResponses } from './responses.ts';
import { answerSchemas } from './schemas.ts';
import { webhooks } from './webhooks.ts';

const introduction = readFileSync(join(import.meta.dirname, 'introduction.md'), 'utf8').trim();

/** Members that each question has. */
const question = {
  message: {
    description:
      'Shown on the device, byte for byte: up to 256 code points, and so at most 1,024 bytes of UTF-8; no control ' +
      'characters, no line ends, no characters that are invisible or change the direction of text, no lone surrogates. ' +
      'Joiners, variation selectors and tags are allowed only where emoji and words in other scripts than Latin, Greek ' +
      'and Cyrillic need them.',
  },
  nonce: { description: 'The idempotency key, at least 128 random bits. Used later to poll.' },
  expiresIn: {
    description:
      "Seconds in which the user may answer. The tenant's setting `longestLifetime` is the most that is allowed: 600, unless the " +
      'operator changed it. The default is 120, or `longestLifetime` if that is shorter.',
  },
  requestedFrom: {
    description:
      "Where the user's request to your website came from, as you know it, such as browser, town and address. The device shows it, so " +
      "that the user notices somebody else's request, and signs it. The texts follow the rules of `message`.",
  },
  authorizationDetails: {
    description:
      'What the user agrees to, for programs (RFC 9396): objects of any `type`. The device shows every member beside the message, and ' +
      'signs them. At most 4,096 bytes of UTF-8 as compact JSON, 5 levels of lists and objects with the list itself, no member twice, ' +
      'no number that a double changes; member names and strings without the characters that a message may not have.',
  },
};

const chosenOfStream = {
  events_requested: {
    description:
      'The types of events that you want. Unknown ones are ignored. Absent: all that are supported.',
  },
  delivery: {
    description:
      'How signals reach you. `urn:ietf:rfc:8935`: the service calls `endpoint_url`, an https URL on the public internet with port 443, with ' +
      '`authorization_header` as `Authorization`; it is not shown again, and a PATCH without it keeps it for the same URL. `urn:ietf:rfc:8936`: you poll the `endpoint_url` that the service answers. ' +
      'Absent: you poll.',
  },
  description: { description: 'For people.' },
};

const ofStream = { stream_id: { description: 'Which stream.' } };

const signalsRequests: Record<string, JsonSchema> = {
  SignalStreamRequest: describedSchema(newStream, 'What you want of a new stream.', chosenOfStream),
  SignalStreamChange: describedSchema(
    changedStream,
    'What you want of a stream. What only the service supplies may be sent back as it was read.',
    { ...ofStream, ...chosenOfStream },
  ),
  SignalStatusChange: describedSchema(statusBody, 'The status of a stream.', {
    ...ofStream,
    status: {
      description: '`paused`: signals wait, for 14 days at most. `disabled`: they are discarded.',
    },
    reason: { description: 'For people.' },
  }),
  SignalVerification: describedSchema(verificationBody, 'Which stream to verify.', {
    ...ofStream,
    state: { description: 'The verification has it, too.' },
  }),
  SignalPoll: describedSchema(pollBody, 'RFC 8936, section 2.2. Other members are ignored.', {
    maxEvents: { description: 'At most so many; 0 to acknowledge alone. Never more than 100.' },
    returnImmediately: { description: '`false`: the answer waits up to 5 seconds for the first signal.' },
    ack: { description: '`jti` of signals that you have. They are not sent again.' },
    setErrs: { description: 'By `jti`, why you could not process signals. They are not sent again.' },
  }),
};

const requestSchemas: Record<string, JsonSchema> = {
  PushRequest: describedSchema(pushBody(lifetimes.longest), 'What to ask the user.', {
    ...question,
    purpose: {
      description:
        'What the confirmation allows, besides what the message says. The device shows it. Only a confirmation with the matching ' +
        "purpose allows a change of the user's devices.",
    },
    subjectDeviceId: {
      description:
        "With the purpose `remove-device`, and only with it: which of the user's devices the confirmation removes. The device that is " +
        'asked shows its name, and the confirmation removes no other.',
    },
    returnTo: {
      description:
        'Where the app leads the user back to after the answer, if your website is open on the same phone: a URL of at most 512 bytes, without ' +
        'user information, of an origin that is registered for your client. It is not signed, and says nothing about the answer.',
    },
    devices: {
      description:
        '`all` asks every device of the user that has a free place, as they are at this moment. Each gets the same challenge; the first ' +
        'answer decides, and the notifications of the others are replaced. Only for `sendToUser`; the default is `one`.',
    },
  }),
  GroupRequest: describedSchema(groupBody(lifetimes.longest), 'What to ask the members of a group.', {
    ...question,
    members: {
      description:
        'The ids of 2 to 20 users, no two alike. Each is asked on all devices with a free place. Leave out the user who asks: nobody should ' +
        'approve their own request.',
    },
    required: { description: 'How many of them must confirm, from 1 to all.' },
  }),
  NoMembers: describedSchema(noMembers, 'There is nothing to say: leave the body out.', {}),
  TestRequest: describedSchema(testBody, 'What a test needs to know.', {
    proof: { description: 'For a bucket: the text that its owner read in the object of the service.' },
    type: {
      description:
        'Also send an event of this type, whose `producerId` is `omi-test`. It must be a type that the export has.',
    },
  }),
  ReplayRequest: describedSchema(replayBody, 'Which events to send again.', {
    from: { description: 'The first time of acceptance, at most 14 days ago. RFC 3339.' },
    to: { description: 'The end of the range, not included. A time in the future means now. RFC 3339.' },
    types: { description: 'Only events of these types. Public events have the types of `docs/events/`.' },
    eventIds: {
      description:
        'Only these events of the range. If you do not know when they were accepted, take the last 14 days.',
    },
  }),
  StaffUserAct: describedSchema(userActBody, 'What to do to a user.', {
    tenantId: { description: 'The tenant of the user.' },
    act: { description: 'What to do.' },
  }),
  StaffRecoveryRequest: describedSchema(recoveryBody, 'Which recovery.', {
    tenantId: { description: 'The tenant of the user.' },
    agreeTo: { description: 'The recovery that another member asked for. Absent: allow one, or ask for it.' },
  }),
  StaffCheckRequest: describedSchema(checkBody, 'Whom to ask.', {
    tenantId: { description: 'The tenant of the user.' },
    deviceId: { description: 'The device that the caller says to hold. Absent: all devices.' },
  }),
  StaffNumber: describedSchema(numberBody, 'What the caller read out.', {
    tenantId: { description: 'The tenant of the user.' },
    number: { description: 'Six digits. Spaces between them do not count.' },
  }),
  StaffExportAct: describedSchema(steeringBody, 'What to do with an export.', {
    act: { description: 'What to do.' },
  }),
  ...signalsRequests,
  EnrolmentRequest: describedSchema(enrolmentBody, 'The user whose device is to be enrolled.', {
    userId: { description: "The website's id of the user." },
    accountLabel: {
      description:
        'What apps show in place of the user id, so that the user knows the account: under the rules of `message`. It is ' +
        "neither in the QR code nor in events. It becomes the user's label when a device uses the code.",
    },
    confirmation: {
      description:
        'The nonce of the confirmation that allows a further device, if the tenant requires one. Otherwise it is ignored.',
    },
  }),
  LabelRequest: describedSchema(labelBody, "The label of the user's account.", {
    accountLabel: {
      description: 'What apps show in place of the user id, under the rules of `message`; `null` removes it.',
    },
  }),
  EnrolmentPreviewRequest: describedSchema(previewBody, 'The code that the app has scanned.', {
    code: { description: '`code` of the QR code.' },
  }),
};

/** Each scope with the routes that it opens. */
function scopesWithRoutes(): Record<string, string> {
  const opened = routes.flatMap((route) =>
    scopesOf(route).map((scope) => ({ scope, key: routeKeyOf(route) })),
  );
  return Object.fromEntries(
    [...Map.groupBy(opened, ({ scope }) => scope)].map(([scope, its]) => [
      scope,
      its.map(({ key }) => key).join(', '),
    ]),
  );
}

const securitySchemes = () => ({
  accessToken: {
    type: 'oauth2',
    description:
      'A JWT access token, as `Authorization: Bearer <token>`. The operator names the token URL; the local stack prints it. Scopes ' +
      'in tokens of Amazon Cognito have the prefix `omi/`.',
    flows: {
      clientCredentials: {
        tokenUrl: 'https://auth.example.org/oauth2/token',
        scopes: {
          ...scopesWithRoutes(),
          [recoveryScope]:
            'Beside the scope of the operation, for a help desk: `startEnrolment` and `removeDevice` need no confirmation.',
        },
      },
    },
  },
  clientSecret: {
    type: 'http',
    scheme: 'basic',
    description:
      '`client_secret_basic`. The other methods have their parameters in the form: `client_secret_post` and `private_key_jwt`.',
  },
  memberToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A token of a person who signs in at the exports page: an ID token, or an access token that is a JWT, of the issuer of the help desk, ' +
      'with the client of the exports page as `aud`. Its groups have exactly one `exports:<tenant id>`. It opens what both scopes of exports open.',
  },
  staffToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      "A token of the help desk's issuer alone: an ID token, or an access token that is a JWT, with the help desk's client as `aud`. Its groups " +
      'are `support`, `support:<tenant id>` or `operator`.',
  },
  notificationToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `client_notification_token` that the client gave with its request.',
  },
  deviceSignature: {
    type: 'http',
    scheme: 'OMI-Device',
    description:
      '`Authorization: OMI-Device <JWS>`, with a `RequestMessage` that the device signed for this very call.',
  },
});

const headers = {
  'Cache-Control': {
    description: 'This answer may not be cached.',
    schema: { type: 'string', const: 'no-store' },
  },
  Cacheable: {
    description: 'This answer may be cached for five minutes.',
    schema: { type: 'string', const: 'max-age=300' },
  },
  'Retry-After': {
    description:
      'Seconds to wait. Answers have it with a `pending` confirmation, with `confirmation-pending` (until that one expires), with ' +
      '`authorization_pending` and `slow_down`, and always with 429 and 503 of the service.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description:
      'With 401 of the service: `Bearer error="invalid_token"` (RFC 6750) for access tokens, `Basic` for OAuth clients, `OMI-Device` for ' +
      'devices. API Gateway ' +
      'renames it to `x-amzn-Remapped-WWW-Authenticate`.',
    schema: { type: 'string' },
    example: 'Bearer error="invalid_token"',
  },
};

const sorted = <Value>(record: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The OpenAPI document, from the route table, the service's request schemas and the tables of this folder. */
export const openApiDocument = () => ({
  openapi: '3.1.0',
  info: {
    title: 'OMI',
    summary: packageJson.description,
    version: packageJson.version,
    license: { name: 'Apache 2.0', identifier: packageJson.license },
    description: introduction,
  },
  servers: [
    { url: 'http://127.0.0.1:8080', description: 'The local stack.' },
    {
      url: 'https://{domain}',
      description: 'In the cloud.',
      variables: {
        domain: {
          default: 'omi.example.org',
          description: "The operator's domain, or that of the API in Amazon API Gateway.",
        },
      },
    },
  ],
  tags: [
    { name: 'website', description: 'Calls of websites, with an access token, and call-backs to them.' },
    { name: 'events', description: "Calls of the platform's own services, with an access token." },
    {
      name: 'exports',
      description:
        "Calls of a tenant's own programs and people, with an access token: they see and steer the export of the tenant's events.",
    },
    {
      name: 'signals',
      description:
        'Calls of receivers of signals: OpenID Shared Signals Framework 1.0 with the CAEP Interoperability Profile 1.0. A stream belongs to the client that made it.',
    },
    {
      name: 'staff',
      description: 'Calls of the help desk, with a token of its own issuer. Every act is an event.',
    },
    {
      name: 'openid',
      description: 'The standard way for OpenID Connect clients: CIBA Core 1.0 with the base URL as issuer.',
    },
    {
      name: 'device',
      description: 'Calls of the app. Each but `deviceSettings` is signed with the key of the device.',
    },
  ],
  paths: paths(),
  webhooks: webhooks(),
  components: {
    securitySchemes: securitySchemes(),
    headers,
    responses: sorted(refusalResponses()),
    schemas: sorted({
      ...answerSchemas,
      ...eventSchemas,
      ...messageSchemas,
      ...problemSchemas,
      ...requestSchemas,
    }),
    examples: problemExamples,
  },
});
