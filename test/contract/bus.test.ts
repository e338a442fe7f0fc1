/** An event bus gets everything, whatever is wrong with it for a while, and a replay sends it again. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { busDocuments } from '../../core/export/kinds/bus/bus-documents.ts';
import { exporterRoleArnsOf } from '../../core/export/kinds/policies/operator-roles.ts';
import type { BusEvent } from '../../tools/local/aws/stand-ins/eventbridge/backend.ts';
import { makeBusTarget } from '../../tools/local/seed/bus-target.ts';
import { sentTo } from '../../tools/local/client/sent-to-bus.ts';
import { until } from '../support/waiting.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { jsonOn } from '../cli/omi.ts';
import { isActive } from './export-faults/is-active.ts';
import { idsOf, newKeys, recordRounds, type Recorded } from './export-faults/recorded.ts';
import { TenantConsole } from './exports-api/tenant-console.ts';

const stack = useSharedStack();

type Event = { metadata: { eventId: string; type: string } };

/** A new tenant. Its bus is registered and tested as operators do it. */
async function openBus(...options: string[]) {
  const console = await TenantConsole.open(stack);
  const busName = `omi-${randomUUID()}`;
  const destination = await makeBusTarget(stack.file.aws, {
    account: console.account.account,
    busName,
    externalId: randomUUID(),
  });
  const { busArn, roleArn, externalId } = destination;
  const target = [console.tenantId, 'public'];
  const json = jsonOn(stack);
  const access = ['--arn', busArn, '--role-arn', roleArn, '--external-id', externalId, ...options];
  await json('target', 'set', 'bus', ...target, ...access);
  await json('target', 'test', ...target);
  await console.register.reaches(console.ref(), 'active');

  const { eventbridge } = stack.file.aws.endpoints;
  const sent = async (): Promise<BusEvent[]> => await sentTo(eventbridge, busArn);
  const events = async (): Promise<BusEvent[]> =>
    (await sent()).filter(({ detailType }) => detailType !== 'omi.verification');
  const ids = async (): Promise<string[]> =>
    (await events()).map(({ detail }) => (JSON.parse(detail) as Event).metadata.eventId);
  const record = async (rounds: number): Promise<Recorded> =>
    await recordRounds({ website: console.client, ...console.ref() }, newKeys(5), rounds);
  const arrived = async (recorded: Recorded): Promise<void> =>
    await until(async () => {
      const there = new Set(await ids());
      return idsOf(recorded).every((id) => there.has(id));
    });
  return { console, destination, busName, target, json, sent, events, ids, record, arrived };
}

describe('an event bus', () => {
  test('gets each event of its tenant as an entry of its own, after the entries of tests', async () => {
    const { console, destination, target, json, sent, events, ids, record, arrived } = await openBus();
    const testEntry = {
      bus: destination.busArn,
      source: 'omi',
      detailType: 'omi.verification',
      detail: '{}',
    };
    // The registration asks for a test by itself, besides the command.
    const sentByTests = await sent();
    expect(sentByTests.length).toBeGreaterThanOrEqual(1);
    expect(sentByTests).toEqual(sentByTests.map(() => testEntry));
    const recorded = await record(3);
    await arrived(recorded);
    expect((await ids()).sort()).toEqual(idsOf(recorded).sort());
    for (const { source, detailType, detail } of await events())
      expect({ source, detailType }).toEqual({
        source: 'omi',
        detailType: (JSON.parse(detail) as Event).metadata.type,
      });

    const { busArn, roleArn } = destination;
    const [listed] = await json<object[]>('target', 'list', console.tenantId, '--kind', 'bus');
    expect(listed).toMatchObject({ category: 'public', destination, state: 'active' });
    const policies = await json<object>('target', 'policies', ...target);
    expect(policies).toMatchObject({ kind: 'bus', busArn });
    expect(JSON.stringify(policies)).toContain('events:PutEvents');
    const entry = await console.untilListed(({ accepted, delivered }) => accepted === delivered);
    expect(entry['destination']).toEqual({ kind: 'bus', busArn, roleArn });
  });

  test('is parked while its role may not send, says what to change, and gets everything afterwards', async () => {
    const { console, destination, target, json, record, arrived } = await openBus();
    await console.account.changePermissions(destination, {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: 'events:DescribeEventBus', Resource: '*' }],
    });
    const recorded = await record(2);
    await console.register.reaches(console.ref(), 'parked');
    const entry = await console.untilListed(({ state }) => state === 'parked');
    expect(entry).toMatchObject({
      code: 'AccessDeniedException',
      action: {
        who: 'tenant',
        policy: { document: 'permissionPolicy', statement: { Resource: destination.busArn } },
      },
    });
    const { region } = stack.file.aws;
    const operator = { stage: 'local', region, account: '000000000000' };
    const { busArn, externalId } = destination;
    const operatorRoleArns = exporterRoleArnsOf(operator);
    const agreed = { kind: 'bus' as const, busArn, externalId, operatorRoleArns };
    await console.account.changePermissions(destination, busDocuments(agreed).permissionPolicy);
    await json('target', 'test', ...target);
    await arrived(recorded);
    await console.register.becomes(console.ref(), 'well', isActive);
  });
});
