import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { readCatalogue, readSchema } from '../../core/events/schemas/published.ts';

type Message = { payload: object; examples: { payload: unknown }[] };
type Channel = { address: string; messages: object };
type AsyncApiDocument = {
  info: { version: string };
  channels: Record<string, Channel>;
  operations: Record<string, { action: string; channel: object }>;
  components: { messages: Record<string, Message>; schemas: Record<string, object> };
};

const document = parse(readFileSync('docs/events/asyncapi.yaml', 'utf8')) as AsyncApiDocument;
const { messages, schemas } = document.components;

type Event = { metadata: Record<string, unknown>; payload?: unknown };

/** As AsyncAPI's own schemas are read: a superset of draft 07. */
const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
formats.default(ajv);
ajv.addVocabulary(['components']);
ajv.addSchema({ $id: 'urn:omi:asyncapi', components: { schemas } });

const matches = (schema: string, value: unknown): boolean =>
  ajv.validate({ $ref: `urn:omi:asyncapi#/components/schemas/${schema}` }, value);

const exampleOf = (name: string): unknown => messages[name]?.examples[0]?.payload;

test('the document has the version of the package', () => {
  expect(document.info.version).toBe(packageJson.version);
});

/** Where a schema is from, and what names it in a refusal's sentence: a component has a name of its own. */
const ownWords = ['$schema', '$id', 'title', 'examples', 'x-recordedBy'];
const component = (schema: object = {}): object =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ownWords.includes(keyword)));

describe('schemas', () => {
  const { envelopes, payloads } = readCatalogue();

  test.each(payloads)(
    'have the payload of $name $version as it is published',
    ({ name, version, schema }) => {
      expect(schemas[`${name}-${version}-payload`]).toEqual(component(readSchema(schema)));
    },
  );

  test.each([
    ['public', 'Public'],
    ['log', 'Log'],
  ])('have the envelope of %s events as it is published', (category, name) => {
    const published = readSchema(envelopes.find((one) => one.name === category)?.schema ?? '');
    const { metadata, ...properties } = (published as { properties: Record<string, object> }).properties;
    const $ref = `#/components/schemas/${name}Metadata`;
    expect(schemas[`${name}Event`]).toEqual({
      ...component(published),
      properties: { ...properties, metadata: { $ref } },
    });
    expect(schemas[`${name}Metadata`]).toEqual(component(metadata));
  });
});

describe('channels', () => {
  test.each(['public', 'log'])(
    'carry %s events: a stream, a bucket and a webhook, with the envelope',
    (category) => {
      const message = { public: 'PublicEvents', log: 'LogEvents' }[category] ?? '';
      const { channels, operations } = document;
      for (const channel of [`${category}Stream`, `${category}Bucket`, `${category}Webhook`]) {
        expect(channels[channel]?.messages).toEqual({
          [message]: { $ref: `#/components/messages/${message}` },
        });
        const sending = Object.values(operations).filter((operation) =>
          JSON.stringify(operation.channel).includes(`"#/channels/${channel}"`),
        );
        expect(sending).toMatchObject([{ action: 'send' }]);
      }
      expect(channels[`${category}Bucket`]?.address).toBe(`{yyyy}/{MM}/{dd}/{HH}/${category}/{object}`);
    },
  );
});

describe('messages', () => {
  const versions = readCatalogue().payloads.map(({ name, version }) => `${name}-${version}`);

  test('are the envelopes, the log event, a webhook’s verification, and every published type and version', () => {
    expect(Object.keys(messages).sort()).toEqual(
      [
        ...['LogEvent', 'LogEvents', 'PublicEvents', 'Verification', 'VerificationAnswer'],
        ...versions,
      ].sort(),
    );
  });

  test.each(Object.keys(messages))('have an example that matches: %s', (name) => {
    expect(messages[name]?.payload).toEqual({ $ref: `#/components/schemas/${name}` });
    expect(matches(name, exampleOf(name))).toBe(true);
  });

  test.each(versions)("describe exactly one type and version, in the envelope's form: %s", (name) => {
    const event = exampleOf(name) as Event;
    expect(versions.filter((other) => matches(other, event))).toEqual([name]);
    expect(matches('PublicEvents', { events: [event, event] })).toBe(true);
    const broken = { ...event, payload: {} };
    expect(matches(name, broken)).toBe(false);
    expect(matches('PublicEvents', { events: [event, broken] })).toBe(false);
  });

  test('distinguish log events from public events', () => {
    const log = exampleOf('LogEvent');
    expect(matches('LogEvents', { events: [log] })).toBe(true);
    expect(matches('PublicEvents', { events: [log] })).toBe(false);
    expect(matches('LogEvents', exampleOf('PublicEvents'))).toBe(false);
    expect(matches('LogEvents', { events: log })).toBe(false);
  });

  test('include an envelope without events for a test of a stream', () => {
    expect(matches('PublicEvents', { events: [] })).toBe(true);
    expect(matches('LogEvents', { events: [] })).toBe(true);
  });
});
