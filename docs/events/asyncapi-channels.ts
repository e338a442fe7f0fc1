/** Where each category goes. AsyncAPI has bindings for neither Kinesis nor S3, so what they would say is in `x-` members. */
import { ref, type Schema } from './asyncapi-schemas.ts';

const categories = [
  { category: 'public', name: 'Public', message: 'PublicEvents', unit: '`aggregateId`' },
  { category: 'log', name: 'Log', message: 'LogEvents', unit: '`agent`' },
] as const;

type Named = (typeof categories)[number];

const security = [ref('securitySchemes/signatureV4')];

const region = { region: { default: 'eu-central-1', description: 'Where the stream or the bucket is.' } };

export const servers = {
  kinesis: {
    host: 'kinesis.{region}.amazonaws.com',
    protocol: 'kinesis',
    description: "Amazon Kinesis Data Streams, in the tenant's account.",
    variables: region,
    security,
  },
  s3: {
    host: 's3.{region}.amazonaws.com',
    protocol: 's3',
    description: "Amazon S3, in the tenant's account.",
    variables: region,
    security,
  },
};

export const securitySchemes = {
  signatureV4: {
    type: 'httpApiKey',
    in: 'header',
    name: 'Authorization',
    description: "AWS Signature Version 4, with credentials of the tenant's own account.",
  },
};

const messagesOf = ({ message }: Named): Schema => ({ [message]: ref(`messages/${message}`) });

const stream = (named: Named): Schema => ({
  address: '{stream}',
  title: `${named.name} events in a data stream`,
  description:
    `Each record's data is one message. Events of one ${named.unit} have the same partition key and are in order; a record ` +
    'may come again, and an event may come again in another record. Drop duplicates by `eventId`.',
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

export const channels = (): Record<string, Schema> =>
  Object.fromEntries(
    categories.flatMap((named) => [
      [`${named.category}Stream`, stream(named)],
      [`${named.category}Bucket`, bucket(named)],
    ]),
  );

const operation = ({ name, message }: Named, channel: string, summary: string): Schema => ({
  action: 'send',
  channel: { $ref: `#/channels/${channel}` },
  title: `Export ${name.toLowerCase()} events`,
  summary,
  messages: [{ $ref: `#/channels/${channel}/messages/${message}` }],
  security,
});

/** From the service's side: what it sends, a tenant receives. */
export const operations = (): Record<string, Schema> =>
  Object.fromEntries(
    categories.flatMap((named) => [
      [
        `export${named.name}EventsToStream`,
        operation(named, `${named.category}Stream`, 'At once, as the role that the tenant gave.'),
      ],
      [
        `export${named.name}EventsToBucket`,
        operation(
          named,
          `${named.category}Bucket`,
          'In batches, some minutes later, through Amazon Data Firehose.',
        ),
      ],
    ]),
  );
