import { exampleCalls } from './examples.ts';
import { ref, type JsonSchema } from './json-schema.ts';
import type { Content } from './operation.ts';

/** A call that the service makes. */
type Webhook = {
  operationId: string;
  tag: 'website' | 'openid';
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
  headers: {
    'webhook-id': {
      description: 'The same whenever the same call comes again.',
      example: '0193ab52-6c1e-7d4a-9b1f-3e5c7a9d2b46',
    },
    'webhook-timestamp': {
      description:
        'When this attempt was made, in seconds since 1970. Refuse one that is older than 5 minutes.',
      example: '1772445608',
    },
    'webhook-signature': {
      description:
        '`v1,` and the HMAC-SHA256, in base64, of the id, the timestamp and the body, joined by full stops. While the secret is rotated there are ' +
        'two, with a space between them.',
      example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    },
  },
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
    [callback, ping].map((webhook) => [webhook.operationId, { post: operationOf(webhook) }]),
  );
