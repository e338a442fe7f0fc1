import { exampleCalls, exampleRequests } from './examples.ts';
import { ref, type JsonSchema } from './json-schema.ts';
import type { Content } from './operation.ts';

/** A call that the service makes. */
type Webhook = {
  operationId: string;
  tag: 'website' | 'openid' | 'exports';
  summary: string;
  description: string;
  security: JsonSchema[];
  headers?: Record<string, { description: string; example: string }>;
  body: Content;
  /** What answers mean, by their status. */
  answers: Record<string, string>;
};

const delivered = { '2XX': 'It is delivered.' };

const patience =
  'Answer within 10 seconds. No redirect is followed. The URL is https on port 443, and its host has public addresses.';

const signatureHeaders = (whoseSecret: string, id: string): NonNullable<Webhook['headers']> => ({
  'webhook-id': {
    description: 'The same whenever the same call comes again.',
    example: id,
  },
  'webhook-timestamp': {
    description:
      'When this attempt was made, in seconds since 1970. Refuse one that is older than 5 minutes.',
    example: '1772445608',
  },
  'webhook-signature': {
    description:
      `\`v1,\` and the HMAC-SHA256 by the secret of ${whoseSecret}, in base64, of the id, the timestamp and the body, joined by full stops. While the ` +
      'secret is rotated there are two, with a space between them.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
});

const callback: Webhook = {
  operationId: 'confirmationEnded',
  tag: 'website',
  summary: 'A confirmation has ended',
  description:
    'For a client with a URL for call-backs, at the end of each confirmation that it asked for. Verify the signature of Standard Webhooks with ' +
    'the secret `whsec_…` of the client, then the evidence. Find your record by `challengeId`. Accept calls for confirmations that you do not ' +
    `know: the operator's test call is one. ${patience}\n\n` +
    'The same call may come twice, and calls may come in any order. A call that failed comes again after 1, 5 and 30 seconds, 2, 10 and 30 ' +
    'minutes, and 1, 2, 4, 6 and 10 hours.',
  // The signature is the proof.
  security: [],
  headers: signatureHeaders('the client', '0193ab52-6c1e-7d4a-9b1f-3e5c7a9d2b46'),
  body: {
    schema: 'Callback',
    examples: {
      confirmed: { summary: 'The user confirmed', value: exampleCalls.callback },
      expired: { summary: 'Nobody answered', value: exampleCalls.expired },
    },
  },
  answers: {
    ...delivered,
    '410':
      'No call-back is sent any more until a test call of the operator succeeds. What has waited is sent then.',
    default:
      'It failed, and comes again. `Retry-After` makes all call-backs of the client wait, for a day at most.',
  },
};

const groupCallback: Webhook = {
  ...callback,
  operationId: 'groupEnded',
  summary: 'A group has ended',
  description:
    'As `confirmationEnded`, at the end of each group that the client asked for, at the same URL. Find your record by `groupId`, and verify the ' +
    'evidence of the votes.',
  body: {
    schema: 'GroupCallback',
    examples: { approved: { summary: 'Enough members confirmed', value: exampleCalls.group } },
  },
};

const ping: Webhook = {
  operationId: 'ping',
  tag: 'openid',
  summary: 'An authentication request has ended',
  description:
    'For a client with a notification URL that gave a `client_notification_token`. Check the token, then call `oauthToken`, also to learn of a ' +
    `denial. ${patience}\n\nA ping that failed comes again until 10 minutes after the request has expired.`,
  security: [{ notificationToken: [] }],
  body: { schema: 'Ping', examples: { ping: { summary: 'A ping', value: exampleCalls.ping } } },
  answers: { ...delivered, default: 'It failed, and comes again.' },
};

const bodyHash = 'Yk3hT0hE7l2sXo0Zr3mC5q9N1vW8bJ4uD6fG2aKpLxE';

const events: Webhook = {
  operationId: 'eventsDelivered',
  tag: 'exports',
  summary: 'Events for a webhook',
  description:
    'For a tenant whose export of a category goes to a webhook. Verify the signature of Standard Webhooks with the secret `whsec_…` of the webhook, ' +
    `and answer after you have stored the events. ${patience}\n\n` +
    'A lane makes one call at a time. A call that failed comes again, and later events of the lane wait behind it for 14 days at most. Events may ' +
    'come twice: drop those whose `eventId` you know. A call has up to 100 events or 256 KB; a larger single event goes alone.',
  security: [],
  headers: signatureHeaders('the webhook', bodyHash),
  body: {
    schema: 'DeliveredEvents',
    examples: { events: { summary: 'Two events', value: exampleRequests.record } },
  },
  answers: {
    ...delivered,
    '3XX': 'The events wait until the operator has registered the right URL.',
    '4XX':
      'The events wait until the receiver takes them again. 408, 425 and 429 are like 5xx: they pass by themselves.',
    default: 'They come again. `Retry-After` makes all events of the webhook wait, for a day at most.',
  },
};

const verification: Webhook = {
  operationId: 'webhookVerification',
  tag: 'exports',
  summary: 'Proof that a receiver wants the events',
  description: `Before the first event, and then daily, to the URL of a webhook. Verify the signature. ${patience}`,
  security: [],
  headers: signatureHeaders('the webhook', bodyHash),
  body: {
    schema: 'WebhookVerification',
    examples: { verification: { summary: 'A challenge', value: exampleCalls.verification } },
  },
  answers: {
    '200': 'It is proven if the body is `{"challenge":"…"}` as JSON, with the same text and without `type`.',
    default:
      'It is not proven. Events wait until it is. After 429 or 5xx the test is repeated, and trust stays.',
  },
};

const operationOf = ({ operationId, tag, body, answers, ...webhook }: Webhook): JsonSchema => ({
  operationId,
  tags: [tag],
  summary: webhook.summary,
  description: webhook.description,
  security: webhook.security,
  parameters: Object.entries(webhook.headers ?? {}).map(([name, words]) => ({
    name,
    in: 'header',
    required: true,
    ...words,
    schema: { type: 'string' },
  })),
  requestBody: {
    required: true,
    content: { 'application/json': { schema: ref(body.schema), examples: body.examples } },
  },
  responses: Object.fromEntries(
    Object.entries(answers).map(([status, description]) => [status, { description }]),
  ),
});

/** What the service calls, by its name. */
export const webhooks = (): Record<string, JsonSchema> =>
  Object.fromEntries(
    [callback, groupCallback, ping, events, verification].map((webhook) => [
      webhook.operationId,
      { post: operationOf(webhook) },
    ]),
  );
