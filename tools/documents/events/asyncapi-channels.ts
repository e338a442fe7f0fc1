/** Where each category goes. AsyncAPI has bindings for neither Kinesis nor S3, so what they would say is in `x-` members. */
import { ref, type Schema } from './asyncapi-schemas.ts';

const categories = [
  { category: 'public', name: 'Public', message: 'PublicEvents', unit: '`aggregateId`' },
  { category: 'log', name: 'Log', message: 'LogEvents', unit: '`agent`' },
] as const;

type Named = (typeof categories)[number];

const signatureV4 = [ref('securitySchemes/signatureV4')];
const standardWebhooks = [ref('securitySchemes/standardWebhooks')];

const region = { region: { default: 'eu-central-1', description: 'Where the stream or the bucket is.' } };

export const servers = {
  kinesis: {
    host: 'kinesis.{region}.amazonaws.com',
    protocol: 'kinesis',
    description: "Amazon Kinesis Data Streams, in the tenant's account.",
    variables: region,
    security: signatureV4,
  },
  s3: {
    host: 's3.{region}.amazonaws.com',
    protocol: 's3',
    description: "Amazon S3, in the tenant's account.",
    variables: region,
    security: signatureV4,
  },
  webhook: {
    host: '{host}',
    protocol: 'https',
    description: "The tenant's receiver, on port 443 of a host whose addresses are all public.",
    variables: { host: { default: 'events.example.com', description: "The host of the receiver's URL." } },
    security: standardWebhooks,
  },
};

export const securitySchemes = {
  signatureV4: {
    type: 'httpApiKey',
    in: 'header',
    name: 'Authorization',
    description: "AWS Signature Version 4, with credentials of the tenant's own account.",
  },
  standardWebhooks: {
    type: 'httpApiKey',
    in: 'header',
    name: 'webhook-signature',
    description:
      'Standard Webhooks: an HMAC-SHA256 over `webhook-id`, `webhook-timestamp` and the body, with the secret that the operator ' +
      'gave. There are two signatures while the secret is rotated.',
  },
};

const messagesOf = ({ message }: Named): Schema => ({ [message]: ref(`messages/${message}`) });

const stream = (named: Named): Schema => ({
  address: '{stream}',
  title: `${named.name} events in a data stream`,
  description:
    `Each record's data is one message. Events of one ${named.unit} have the same partition key and are in order; a record ` +
    'may come again, and an event may come again in another record. Drop duplicates by `eventId`. The first and the daily test ' +
    'of the stream leave a record without events each.',
  servers: [{ $ref: '#/servers/kinesis' }],
  parameters: { stream: { description: "The name of the tenant's stream." } },
  messages: messagesOf(named),
  'x-kinesis': {
    data: 'One message as UTF-8, at most 1,024,000 bytes.',
    partitionKey: '`<index>/<count>`: one of few lanes, chosen by what orders the events.',
    explicitHashKey: 'The middle of that share of the hash space: lanes are spread evenly over the shards.',
  },
});

const bucket = (named: Named): Schema => ({
  address: `{yyyy}/{MM}/{dd}/{HH}/${named.category}/{object}`,
  title: `${named.name} events in a bucket`,
  description:
    'An object has messages as JSON lines: each line, ended by a line feed, is one. Objects have no order among themselves, ' +
    'and lines may come again.',
  servers: [{ $ref: '#/servers/s3' }],
  parameters: {
    yyyy: { description: 'When the oldest line of the object reached Firehose, in UTC: the year.' },
    MM: { description: 'The month, 01 to 12.' },
    dd: { description: 'The day, 01 to 31.' },
    HH: { description: 'The hour, 00 to 23.' },
    object: { description: 'A unique name that Firehose gives.' },
  },
  messages: messagesOf(named),
  'x-s3': {
    contentType: 'JSON lines, UTF-8, not compressed.',
    otherPrefixes:
      '`errors/`: what Firehose could not deliver. `omi/`: the service itself. Neither has events to read.',
  },
});

const receiverPath = { path: { description: "The path of the receiver's URL." } };

const webhook = (named: Named): Schema => ({
  address: '/{path}',
  title: `${named.name} events by calls of a webhook`,
  description:
    `The body of each call is one message, with at most 100 events or 256 KB; a larger single event goes alone. Events of one ${named.unit} ` +
    'are in order: a lane makes one call at a time. Events may come again, also in another call. Drop duplicates by `eventId`.',
  servers: [{ $ref: '#/servers/webhook' }],
  parameters: receiverPath,
  messages: messagesOf(named),
  'x-webhook': {
    headers: {
      'webhook-id': 'The same for the same body, also when it comes again.',
      'webhook-timestamp': 'Unix seconds when this call was signed.',
      'webhook-signature': '`v1,` and a signature in base64; several have a space between them.',
    },
    answer:
      'Any 2xx after the events are stored, within 10 seconds. After any other answer the events come again.',
  },
});

const verification: Schema = {
  address: '/{path}',
  title: 'The proof that a webhook belongs to the tenant',
  description: 'Before the first event, and then daily. The call is signed like any other.',
  servers: [{ $ref: '#/servers/webhook' }],
  parameters: receiverPath,
  messages: {
    Verification: ref('messages/Verification'),
    VerificationAnswer: ref('messages/VerificationAnswer'),
  },
};

export const channels = (): Record<string, Schema> => ({
  ...Object.fromEntries(
    categories.flatMap((named) => [
      [`${named.category}Stream`, stream(named)],
      [`${named.category}Bucket`, bucket(named)],
      [`${named.category}Webhook`, webhook(named)],
    ]),
  ),
  webhookVerification: verification,
});

type Export = { channel: string; security: object[]; summary: string };

const operation = ({ name, message }: Named, { channel, security, summary }: Export): Schema => ({
  action: 'send',
  channel: { $ref: `#/channels/${channel}` },
  title: `Export ${name.toLowerCase()} events`,
  summary,
  messages: [{ $ref: `#/channels/${channel}/messages/${message}` }],
  security,
});

const post = { http: { method: 'POST', bindingVersion: '0.3.0' } };

const verify: Schema = {
  action: 'send',
  channel: { $ref: '#/channels/webhookVerification' },
  title: 'Verify a webhook',
  summary: 'The receiver answers 200 with the challenge of the call.',
  messages: [{ $ref: '#/channels/webhookVerification/messages/Verification' }],
  reply: {
    channel: { $ref: '#/channels/webhookVerification' },
    messages: [{ $ref: '#/channels/webhookVerification/messages/VerificationAnswer' }],
  },
  security: standardWebhooks,
  bindings: post,
};

const exportsOf = (named: Named): Record<string, Schema> => ({
  [`export${named.name}EventsToStream`]: operation(named, {
    channel: `${named.category}Stream`,
    security: signatureV4,
    summary: 'At once, as the role that the tenant gave.',
  }),
  [`export${named.name}EventsToBucket`]: operation(named, {
    channel: `${named.category}Bucket`,
    security: signatureV4,
    summary: 'In batches, some minutes later, through Amazon Data Firehose.',
  }),
  [`export${named.name}EventsToWebhook`]: {
    ...operation(named, {
      channel: `${named.category}Webhook`,
      security: standardWebhooks,
      summary: "At once, by signed calls of the tenant's URL.",
    }),
    bindings: post,
  },
});

/** From the service's side: what it sends, a tenant receives. */
export const operations = (): Record<string, Schema> => ({
  ...exportsOf(categories[0]),
  ...exportsOf(categories[1]),
  verifyWebhook: verify,
});
