import packageJson from '../../../package.json' with { type: 'json' };
import { channels, operations, securitySchemes, servers } from './asyncapi-channels.ts';
import { asyncApiMessages } from './asyncapi-messages.ts';
import { asyncApiSchemas } from './asyncapi-schemas.ts';

const description = `
This document describes what a tenant's stream, bucket or webhook receives. A tenant has one target for each category, \`public\` and \`log\`: a Kinesis data stream, a
bucket, a webhook, an EventBridge event bus, or none. The first three carry the same JSON, \`{"events":[…]}\`: as a record of the stream, as a line of an object, or as the body of a call.
A bus gets each event alone, as the \`detail\` of an entry whose \`source\` is \`omi\` and whose \`detail-type\` is the event's type.
A webhook or a bus with the format \`cloudevents\` gets the same events as the \`data\` of CloudEvents 1.0.

The messages of the channels are these envelopes. The other messages of the components are the events inside, one for each type and
version. Use what you know and ignore the rest. New types, new minor versions with more members, and new major versions beside the
old ones may come at any time.

[tenants.md](../tenants.md) explains how to read them: order, duplicates, versions, and what happens when a target does not take events.`;

const sorted = <Value>(record: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The AsyncAPI document, from the published schemas and the tables of this folder. */
export const asyncApiDocument = () => ({
  asyncapi: '3.0.0',
  id: 'urn:omi:export',
  info: {
    title: 'OMI event export',
    version: packageJson.version,
    description: description.trim(),
    license: { name: packageJson.license, url: 'https://www.apache.org/licenses/LICENSE-2.0' },
  },
  defaultContentType: 'application/json',
  servers,
  channels: channels(),
  operations: operations(),
  components: {
    messages: sorted(asyncApiMessages()),
    schemas: sorted(asyncApiSchemas()),
    securitySchemes,
  },
});
