/** `@omi/consumer` as others get it: packed, installed into an empty project, run in every supported Node.js. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findNode } from './support/node-versions.ts';
import { PackedProject } from './support/packed-project.ts';
import { isWellFormed } from './support/self-contained.ts';

const versions = new Map(
  await Promise.all([20, 22, 24].map(async (major) => [major, await findNode(major)] as const)),
);
let project: PackedProject;

beforeAll(async () => {
  project = await PackedProject.create('@omi/consumer');
});
afterAll(async () => await project.remove());

const program = `
import { createHmac } from 'node:crypto';
import { Consumer, createStreamHandler, createWebhookReceiver, decodeObject, toOcsf } from '@omi/consumer';

const text = process.argv[2];
const seen = [];
const events = [];
for await (const event of decodeObject(text)) events.push(event);
const consumer = new Consumer({ handlers: ({ metadata }) => void seen.push(metadata.type) });
await consumer.handle(events);
const handler = createStreamHandler({ handlers: () => {}, onError: () => {} });
const kinesis = { data: Buffer.from(text).toString('base64'), sequenceNumber: '7' };
const { batchItemFailures: whole } = await handler({ Records: [{ kinesis }] });
const { batchItemFailures: torn } = await handler({ Records: [{ kinesis: { ...kinesis, data: 'e30=' } }] });
const secret = Buffer.from('secret');
const timestamp = String(Math.floor(Date.now() / 1000));
const signature = createHmac('sha256', secret).update(['id', timestamp, text].join('.')).digest('base64');
const headers = { 'webhook-id': 'id', 'webhook-timestamp': timestamp, 'webhook-signature': 'v1,' + signature };
const receive = createWebhookReceiver({ secret: 'whsec_' + secret.toString('base64'), handlers: () => {} });
const { status } = await receive(new Request('https://siem.example', { method: 'POST', headers, body: text }));
console.log(JSON.stringify({ seen, whole, torn, status, classes: events.map((event) => toOcsf(event).class_uid) }));
`;

describe('the package', () => {
  isWellFormed(() => project);

  test('contains what it needs, and nothing else', async () => {
    const folders = new Set(project.packed.files.map(({ path }) => path.replace(/\/.*/, '')));
    expect([...folders].toSorted()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json']);
    expect(await project.installed()).toEqual(['node_modules/@omi/consumer']);
  });

  test.each([...versions])('works in Node.js %i', async (major, node) => {
    if (node === undefined) {
      process.stderr.write(`@omi/consumer is not tested in Node.js ${major}.\n`);
      return;
    }
    await project.write('program.js', program);
    const text = JSON.stringify(JSON.parse(readFileSync('docs/examples/exported/public.json', 'utf8')));
    expect(JSON.parse(await project.node(node, ['program.js', text]))).toEqual({
      seen: ['UserDeviceRegisteredEvent', 'PushNotificationSentEvent', 'PushNotificationConfirmedEvent'],
      whole: [],
      torn: [{ itemIdentifier: '7' }],
      status: 204,
      classes: [3004, 3002, 3002],
    });
  });
});

const compilers = { 'TypeScript 6': 'typescript/bin/tsc6', 'TypeScript 7': '@typescript/native/bin/tsc' };
const examples = [...readFileSync('packages/consumer/README.md', 'utf8').matchAll(/^```ts\n(.*?)```/gms)].map(
  ([, code = '']) => code,
);

test.each(Object.entries(compilers))(
  'the types, and the examples in the README, are valid with %s',
  async (_, compiler) => {
    expect(examples.length).toBeGreaterThan(2);
    const typed = `
import { createStreamHandler, toOcsf, type Event, type OcsfEvent } from '@omi/consumer';
import type { KinesisStreamBatchResponse, KinesisStreamEvent } from 'aws-lambda';
const handle = createStreamHandler({ handlers: { other: () => undefined }, concurrency: 4 });
export const handler: (event: KinesisStreamEvent) => Promise<KinesisStreamBatchResponse> = handle;
export const ocsf = (event: Event): OcsfEvent => toOcsf(event);
// @ts-expect-error: what is not known must be handled
createStreamHandler({ handlers: { public: {} } });
`;
    const files = await Promise.all(
      [...examples, typed].map(async (code, index) => await project.write(`example-${index}.ts`, code)),
    );
    const roots = { types: ['node'], typeRoots: [resolve('node_modules/@types')] };
    const options = {
      target: 'ES2023',
      lib: ['ES2023'],
      module: 'node16',
      moduleResolution: 'node16',
      ...roots,
    };
    const paths = { 'aws-lambda': [resolve('node_modules/@types/aws-lambda/index.d.ts')] };
    await project.compile(compiler, { consumer: { ...options, paths } }, files);
  },
);
