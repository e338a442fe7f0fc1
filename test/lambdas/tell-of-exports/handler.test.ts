/** What the stream of the tenants table leads to: an event for each change of state, once, and a notice. */
import { randomUUID } from 'node:crypto';
import { ScanCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { OwnEvents } from '../../../core/events/own-event-store.ts';
import { AilingTargets } from '../../../core/export/notices/ailing-target-store.ts';
import { ContactStore } from '../../../core/export/notices/contact-store.ts';
import { NoticeStore } from '../../../core/export/notices/notice-store.ts';
import { WatchedBuckets } from '../../../core/export/targets/watched-bucket-store.ts';
import { targetKey } from '../../../core/export/targets/target-item.ts';
import { TargetStore } from '../../../core/export/targets/target-store.ts';
import type { Category } from '../../../core/events/target-ref.ts';
import { logger } from '../../../core/kernel/observability.ts';
import { ReceiverCaller } from '../../../core/outbound/call-receiver.ts';
import { createHandler } from '../../../lambdas/tell-of-exports/handler.ts';
import { testDatabase } from '../../support/dynamodb.ts';
import { isPublishedEvent } from '../../support/published-schemas.ts';

let database: DynamoDBDocumentClient;
let tenantId: string;
let onBus: string[];
let failing: boolean;
const error = jest.spyOn(logger, 'error').mockReturnValue();
jest.spyOn(logger, 'info').mockReturnValue();

beforeAll(async () => {
  database = await testDatabase({ tenants: 'tenants', events: 'events' });
});
beforeEach(() => {
  tenantId = randomUUID();
  [onBus, failing] = [[], false];
  error.mockClear();
});

const destination = {
  kind: 'webhook',
  url: 'https://events.example.com/omi',
  lanes: 2,
  format: 'cloudevents',
};
const fault = { actor: 'tenant', code: 'Webhook.Http401', reason: 'The tenant must do something.' };

type Image = Record<string, unknown>;
const image = (state: string, changes: Image = {}, category: Category = 'public'): Image => ({
  ...targetKey({ tenantId, category }),
  ...{ tenantId, category, destination, state, stateSince: 1, ...changes },
  ...{ parkedThrough: {}, drainedThrough: {}, waitingSince: {} },
});

let sequence = 0;
const change = (before: Image | undefined, after: Image): DynamoDBRecord => ({
  eventName: before ? 'MODIFY' : 'INSERT',
  dynamodb: {
    SequenceNumber: String((sequence += 1)),
    ApproximateCreationDateTime: 1_790_000_000,
    ...(before && { OldImage: marshall(before) as never }),
    NewImage: marshall(after) as never,
  },
});

const handle = async (...Records: DynamoDBRecord[]): Promise<string[]> => {
  const handler = createHandler({
    targets: new TargetStore(database, 'tenants'),
    ailing: new AilingTargets(database, 'tenants'),
    watched: new WatchedBuckets(database, 'tenants'),
    notices: new NoticeStore(database, 'tenants'),
    contacts: new ContactStore(database, 'tenants'),
    events: new OwnEvents(database, 'events'),
    producer: { instanceId: 'tell-of-exports', version: '1.2.3' },
    nameOf: async () => await Promise.resolve('Bank'),
    page: undefined,
    patienceMs: 0,
    bus: {
      put: async (type) => {
        if (failing) throw new Error('refused');
        onBus.push(type);
        await Promise.resolve();
      },
    },
    mail: undefined,
    caller: new ReceiverCaller(true),
    secrets: { open: async () => await Promise.resolve('whsec_c2VjcmV0') },
  });
  return (await handler({ Records })).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
};

type Recorded = { metadata: { type: string; eventId: string }; payload: Image };

const recorded = async (): Promise<Recorded[]> => {
  const { Items = [] } = await database.send(new ScanCommand({ TableName: 'events', ConsistentRead: true }));
  return Items.filter(({ pk }) => String(pk).includes(tenantId))
    .sort((a, b) => (String(a['sequence']) < String(b['sequence']) ? -1 : 1))
    .map(({ event }) => JSON.parse(String(event)) as Recorded);
};

test('a change of state becomes one log event, however often its record comes', async () => {
  const parked = change(image('active'), image('parked', { fault }));
  await handle(change(undefined, image('validating')), change(image('validating'), image('active')), parked);
  await handle(parked);
  const events = await recorded();
  expect(events.map(({ payload }) => [payload['from'], payload['to']])).toEqual([
    [undefined, 'validating'],
    ['validating', 'active'],
    ['active', 'parked'],
  ]);
  for (const event of events) expect(isPublishedEvent(event)).toBe(true);
  expect(events[2]).toMatchObject({
    metadata: { type: 'ExportTargetStateChangedEvent', producerId: 'omi', agent: 'export-public' },
    payload: {
      category: 'public',
      who: 'tenant',
      reason: fault.reason,
      code: fault.code,
      action: { who: 'tenant' },
    },
  });
  expect(onBus).toHaveLength(4);
});

test('counts, and other changes that nobody sees, become no event', async () => {
  await handle(
    change(image('active'), image('active', { acceptedCount: 5 })),
    change(image('parked', { fault }), image('parked', { fault: { ...fault, reason: 'Another.' } })),
  );
  expect(await recorded()).toEqual([]);
});

test('given up events are a change of the state that people see', async () => {
  const givenUp = [{ cause: 'errors', from: 1, to: 2, events: 26 }];
  await handle(change(image('active'), image('active', { givenUp })));
  expect((await recorded())[0]?.payload).toMatchObject({ from: 'active', to: 'degraded' });
});

test('a log target is not told of what passes by itself, or its events would go on without end', async () => {
  const of = (state: string): Image => image(state, {}, 'log');
  await handle(change(of('active'), of('degraded')), change(of('degraded'), of('active')));
  expect(await recorded()).toEqual([]);
  expect(onBus).toHaveLength(2);
  await handle(change(of('degraded'), of('parked')), change(of('parked'), of('degraded')));
  expect(await recorded()).toHaveLength(2);
});

test('a new log target does not wait for its own beginning when it goes live', async () => {
  const of = (state: string): Image => image(state, {}, 'log');
  await handle(change(undefined, of('validating')));
  expect(await recorded()).toEqual([]);
  await handle(change(of('validating'), of('active')));
  expect(await recorded()).toHaveLength(1);
});

test('a change that could not be recorded comes again, with those behind it of the same target', async () => {
  failing = true;
  const first = change(image('active'), image('parked', { fault }));
  const second = change(image('parked', { fault }), image('active'));
  expect(await handle(first, second)).toEqual([first.dynamodb?.SequenceNumber]);
  failing = false;
  expect(await handle(first, second)).toEqual([]);
  expect((await recorded()).map(({ payload }) => payload['to'])).toEqual(['parked', 'active']);
});

test('a malformed item is reported, and holds up no other', async () => {
  const malformed = change(image('active'), { ...image('active'), state: 'odd' });
  expect(await handle(malformed, change(image('active'), image('paused')))).toEqual([]);
  expect(error).toHaveBeenCalledWith('unreadable', expect.anything());
  expect(await recorded()).toHaveLength(1);
});

test('a target that falls ill is on the list of the clock before anything else can fail', async () => {
  failing = true;
  await handle(change(image('active'), image('parked', { fault })));
  const found: string[] = [];
  for await (const page of new AilingTargets(database, 'tenants').pages())
    found.push(...page.map((one) => one.tenantId));
  expect(found).toContain(tenantId);
});

test('a loss is watched at once, whoever found it', async () => {
  const givenUp = [{ cause: 'deleted', from: 1, to: 2, events: 3 }];
  await handle(change(image('active'), image('active', { givenUp })));
  const found: string[] = [];
  for await (const page of new WatchedBuckets(database, 'tenants').pages())
    found.push(...page.map((one) => one.tenantId));
  expect(found).toContain(tenantId);
});

test('a test of a contact is done once, however often its record comes', async () => {
  const contacts = new ContactStore(database, 'tenants');
  await contacts.put(tenantId, { kind: 'mail', address: 'a@bank.example' });
  const asked = change(undefined, { pk: `tenant#${tenantId}`, sk: 'contact', askedTest: 'test-1' });
  await contacts.askForTest(tenantId, 'test-1');
  expect(await handle(asked)).toEqual([]);
  const { lastTest, askedTest } = (await contacts.find(tenantId)) ?? {};
  expect(lastTest).toMatchObject({ id: 'test-1', succeeded: false });
  expect(lastTest?.reason).toContain('notices.mailFrom is missing');
  expect(askedTest).toBeUndefined();
  await handle(asked);
  expect(await contacts.find(tenantId)).toMatchObject({ lastTest });
  expect(onBus).toEqual([]);
});
