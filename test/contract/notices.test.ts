/** Somebody is told when an export waits for its tenant: the tenant's contact, its log, and the operator's bus. */
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { BusEvent } from '../../tools/local/aws/stand-ins/eventbridge/backend.ts';
import { accountId } from '../../tools/local/aws/identity.ts';
import { sentTo } from '../../tools/local/client/sent-to-bus.ts';
import { jsonOn } from '../cli/omi.ts';
import { answering, proving, Receiver, type ReceivedCall } from '../support/receiver.ts';
import { until } from '../support/waiting.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { TenantConsole } from './exports-api/tenant-console.ts';

const stack = useSharedStack();
const opened: Receiver[] = [];
afterEach(async () => {
  for (const receiver of opened.splice(0)) await receiver.close();
});

async function receiverOf(behave = proving): Promise<Receiver> {
  const receiver = await Receiver.start(behave);
  opened.push(receiver);
  return receiver;
}

type Detail = { metadata?: { tenantId: string }; data?: { tenantId: string }; type?: string };

/** A tenant whose public and log events go to webhooks, both of which are active. */
async function openTenant() {
  const console = await TenantConsole.open(stack);
  const { tenantId } = console;
  const json = jsonOn(stack);
  const [events, log] = [await receiverOf(), await receiverOf()];
  // The log's first, so that it gets what the other's beginning leads to.
  for (const [category, receiver] of [['log', log] as const, ['public', events] as const]) {
    await json('target', 'set', 'webhook', tenantId, category, '--url', `${receiver.origin}/${randomUUID()}`);
    await json('target', 'test', tenantId, category);
    await console.register.reaches(console.ref(category), 'active');
  }
  const { region, endpoints } = stack.file.aws;
  const bus = `arn:aws:events:${region}:${accountId}:event-bus/default`;
  /** What the operator's bus got of this tenant. */
  const onBus = async (): Promise<(BusEvent & { parsed: Detail })[]> =>
    (await sentTo(endpoints.eventbridge, bus))
      .map((event) => ({ ...event, parsed: JSON.parse(event.detail) as Detail }))
      .filter(({ parsed }) => (parsed.metadata ?? parsed.data)?.tenantId === tenantId);
  return { console, json, events, log, onBus };
}

type LogEvent = { metadata: { type: string; eventId: string }; payload: Record<string, unknown> };

const eventsIn = (calls: readonly ReceivedCall[]): LogEvent[] =>
  calls.flatMap(({ text }) => (JSON.parse(text) as { events?: LogEvent[] }).events ?? []);

const changesIn = (calls: readonly ReceivedCall[]): LogEvent[] =>
  eventsIn(calls).filter(({ metadata }) => metadata.type === 'ExportTargetStateChangedEvent');

const statesIn = (calls: readonly ReceivedCall[]): unknown[] =>
  changesIn(calls)
    .filter(({ payload }) => payload['category'] === 'public')
    .map(({ payload }) => payload['to']);

describe('a trouble that waits for the tenant', () => {
  test('is told to its webhook at the start and at the end, signed, and to the log and the bus', async () => {
    const { console, json, events, log, onBus } = await openTenant();
    const contact = await receiverOf(answering(204));
    const url = `${contact.origin}/notices`;
    const set = await json<{ contactSecret: string; contact: object }>(
      ...['tenant', 'set', console.tenantId, '--contact', url],
    );
    expect(set.contact).toEqual({ webhook: url });
    events.behave = answering(401);
    await console.recordEvent();
    await until(() => contact.calls.length > 0);
    events.behave = proving;
    await until(() => contact.calls.length > 1);

    const [started, ended] = contact.calls;
    for (const call of [started, ended])
      expect(new Webhook(set.contactSecret).verify(call?.text ?? '', call?.headers ?? {})).toBeTruthy();
    expect(started?.body).toMatchObject({
      type: 'export.trouble',
      data: {
        tenantId: console.tenantId,
        tenantName: 'Exporting',
        category: 'public',
        destination: { kind: 'webhook' },
        state: 'parked',
        code: 'Webhook.Http401',
        action: { who: 'tenant' },
        page: stack.file.exportsUrl,
      },
    });
    expect(ended?.body.type).toBe('export.recovered');
    expect(new Set(contact.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(2);

    const isActiveAgain = (): boolean => statesIn(log.calls).filter((state) => state === 'active').length > 1;
    await until(() => isActiveAgain() && statesIn(log.calls).includes('parked'));
    expect(statesIn(log.calls)).toContain('validating');
    const ids = changesIn(log.calls).map(({ metadata }) => metadata.eventId);
    expect(new Set(ids).size).toBe(ids.length);
    const told = await onBus();
    expect(new Set(told.map(({ source, detailType }) => `${source} ${detailType}`))).toEqual(
      new Set(['omi Export Target State Changed', 'omi ExportTroubleNotice']),
    );
    expect(
      told.filter(({ detailType }) => detailType === 'ExportTroubleNotice').map(({ parsed }) => parsed.type),
    ).toEqual(['export.trouble', 'export.recovered']);
    expect(contact.calls).toHaveLength(2);
  });
});
