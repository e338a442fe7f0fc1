import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { Exports, verifyLog } from '#consumer';
import { EventStore } from '../../../core/events/event-store.ts';
import type { Event, PublicEvent } from '../../../core/events/event.ts';
import { hours, rfc3339 } from '../../../core/kernel/time.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { accessAs, using } from '../../../tools/local/seed/aws-access.ts';
import { jsonOn, omiOn } from '../../cli/omi.ts';
import { keysOf } from '../../support/service-keys.ts';
import type { TestStack } from '../../support/stack.ts';
import { TenantConsole } from '../exports-api/tenant-console.ts';
import { earlierHour, newEvent } from '../ledger/earlier-events.ts';
import { checkpointOf, log, untilClosed } from './log-console.ts';

type Answer = { leaves: string[]; erased?: { leafIndex: number; hash: string }[] };

/** An event of a user, of an aggregate that may have events of others. */
function eventOf(one: TenantConsole, userId: string, aggregateId = randomUUID() as string): PublicEvent {
  const event = newEvent(one.ref()) as PublicEvent;
  const metadata = { ...event.metadata, aggregateId, occurredTime: rfc3339(earlierHour()) };
  return { metadata, payload: { userId } };
}

/** Events that the API accepted together. */
async function accept(stack: TestStack, one: TenantConsole, events: readonly Event[], at: number) {
  await using(new DynamoDBClient(accessAs('OPERATOR', stack.file.aws, 'dynamodb')), async (client) => {
    const store = new EventStore(DynamoDBDocumentClient.from(client), localTables.events, () => at);
    expect(await store.append(one.tenantId, events)).toEqual([]);
  });
}

export function erasedUser(stack: TestStack): void {
  test('keeps only the hashes of an erased user’s events, and still verifies', async () => {
    const one = await TenantConsole.open(stack);
    const start = earlierHour();
    const [shared, other] = [randomUUID(), randomUUID()];
    const alices = [eventOf(one, 'alice'), eventOf(one, 'alice', shared), eventOf(one, 'alice', other)];
    const bobs = [eventOf(one, 'bob', shared), eventOf(one, 'bob')];
    const [alone, first, , ofShared, bob] = [...alices, ...bobs] as [
      ...[PublicEvent, PublicEvent, PublicEvent, PublicEvent, PublicEvent],
    ];
    // In one item: bob's event behind alice's, and two of alice's.
    const second = eventOf(one, 'alice', other);
    await accept(stack, one, [alone, first, ofShared, alices[2] ?? alone, second, bob], start);
    const [minute] = await untilClosed(one, 1);
    expect(minute).toMatchObject({ count: 6, leafIndex: 0 });
    const before = await checkpointOf(one);
    const path = `${log}/minutes/${minute?.minute ?? ''}`;
    expect(((await one.get(path)).body as Answer).leaves).toHaveLength(6);

    expect(await jsonOn(stack)('user', 'erase', one.tenantId, 'alice', '--yes')).toMatchObject({
      ...{ events: 4, open: 0, devices: 0, recorded: true },
    });
    const { leaves, erased } = (await one.get(path)).body as Answer;
    expect(leaves.map((leaf) => leaf.split(' ')[0]).toSorted()).toEqual(
      [ofShared, bob].map(({ metadata }) => metadata.eventId).toSorted(),
    );
    expect(erased).toHaveLength(4);
    expect(await checkpointOf(one)).toBe(before);
    const proofOf = async ({ metadata: { eventId, aggregateId } }: PublicEvent): Promise<number> => {
      const query = new URLSearchParams({ eventId, aggregateId }).toString();
      return (await one.get(`${log}/proofs/inclusion?${query}`)).status;
    };
    expect([await proofOf(alone), await proofOf(ofShared), await proofOf(bob)]).toEqual([404, 200, 200]);

    const texts = [...alices, second, ofShared, bob].map((event) => JSON.stringify(event));
    const options = {
      ...{ category: 'public' as const, tenantId: one.tenantId, baseUrl: stack.file.baseUrl },
      ...{ keys: await keysOf(stack.file.baseUrl), from: new Date(start), to: new Date(start + hours) },
      exports: new Exports({
        baseUrl: stack.file.baseUrl,
        token: async () => await one.client.accessToken(),
      }),
    };
    const kept = await verifyLog({ ...options, copy: texts, kept: [before] });
    expect(kept).toMatchObject({ ok: true, compared: 6, erased: 0 });
    const gone = await verifyLog({ ...options, copy: texts.slice(4) });
    expect(gone).toMatchObject({ ok: true, findings: [], compared: 6, erased: 4 });
    const edited = texts.with(5, (texts[5] ?? '').replace('bob', 'eve'));
    expect((await verifyLog({ ...options, copy: edited })).findings).toMatchObject([{ fault: 'edited' }]);

    expect(await jsonOn(stack)('log', 'verify', one.tenantId, 'public')).toMatchObject({
      ...{ ok: true, findings: [], compared: 6, erased: 4 },
    });
    const range = new URLSearchParams({ from: rfc3339(start), to: rfc3339(start + hours) }).toString();
    const ledger = await one.get(`/omi/exports/public/ledger?${range}`);
    expect(ledger.body).toMatchObject({ hours: [{ count: 2 }] });
  });

  test('keeps events that are not in the log yet, and the events of an erasure', async () => {
    const one = await TenantConsole.open(stack);
    await accept(stack, one, [eventOf(one, 'carol')], earlierHour());
    await untilClosed(one, 1);
    await accept(stack, one, [eventOf(one, 'carol')], Date.now());
    const { out, err } = await omiOn(stack)(['--json', 'user', 'erase', one.tenantId, 'carol', '--yes']);
    expect(JSON.parse(out)).toMatchObject({ events: 1, open: 1 });
    expect(err).toContain('Run the command again in five minutes');
    const hour = { from: rfc3339(Date.now() - hours), to: rfc3339(Date.now() + hours) };
    const ledger = `/omi/exports/log/ledger?${new URLSearchParams(hour).toString()}`;
    await one.until(ledger, (body) => JSON.stringify(body).includes('UserErasedEvent'));
  });
}
