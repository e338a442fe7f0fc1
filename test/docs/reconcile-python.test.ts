/** The Python counterpart of `reconcile`, on the same cases. */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Event } from '#consumer';
import { event, recordOf } from '../packages/consumer/support/events.ts';
import { LedgerService, type Accepted } from '../packages/consumer/support/ledger-service.ts';
import { base64 } from './tenants/exported.ts';
import { feedPython, hasPython } from './tenants/programs.ts';

const hourSeconds = 3600;
const start = Date.UTC(2026, 10, 21, 20) / 1000;
const asked = { start, end: start + 4 * hourSeconds, now: start + 5 * hourSeconds };

type Story = { accepted: Accepted; event: Event };
type Result = {
  complete: boolean;
  unjudged: string[];
  missing: string[];
  hours: { hour: string; status: string; missing?: { count: number; types: string[] }; replay?: object }[];
};

function at(seconds: number, type: string, eventId: string): Story {
  const acceptedAt = (start + seconds) * 1000;
  const occurredTime = new Date(acceptedAt - 200).toISOString();
  return {
    accepted: { eventId, type, acceptedAt },
    event: event('a', { metadata: { eventId, type, occurredTime } }),
  };
}

const stories = Array.from({ length: 40 }, (_, index) => {
  const seconds = 60 + index * 250;
  return index % 2 === 0
    ? at(seconds, 'UserCreatedEvent', randomUUID())
    : at(seconds, 'UserBlockedEvent', uuidv7({ msecs: (start + seconds) * 1000 }));
});
const idOf = (index: number): string => stories[index]?.accepted.eventId ?? '';

let service: LedgerService | undefined;
afterEach(async () => await service?.stop());

async function serve(prepare: (service: LedgerService) => void = () => undefined): Promise<string> {
  service = new LedgerService(stories.map(({ accepted }) => accepted));
  service.pageSize = 5;
  prepare(service);
  return await service.start();
}

async function reconcile(copy: Story[], more: object = {}, prepare?: (one: LedgerService) => void) {
  const baseUrl = await serve(prepare);
  const given = { ...asked, copy: copy.map((one) => one.event), ...more };
  return JSON.parse(await feedPython({ baseUrl, reconcile: given })) as Result;
}

const its = hasPython ? test : test.skip;
const without = (...lost: number[]): Story[] => stories.filter((_, index) => !lost.includes(index));
const listed = (): boolean => service?.requests.some((path) => /ledger\/./.test(path)) ?? false;

describe('reconcile in Python', () => {
  its('says by digests alone that a copy is complete', async () => {
    const result = await reconcile([...stories, ...stories].reverse());
    expect(result).toMatchObject({ complete: true, missing: [] });
    expect(result.hours.map(({ status }) => status)).toEqual(['complete', 'complete', 'complete']);
    expect(listed()).toBe(false);
  });

  its('names what is missing, and asks for its replay', async () => {
    const result = await reconcile(without(3, 20), { repair: true });
    expect(result.missing).toEqual([idOf(3), idOf(20)]);
    expect(result.hours[0]).toMatchObject({ status: 'incomplete', replay: { replayId: 'replay-1' } });
    expect(service?.replays).toEqual([
      { from: '2026-11-21T20:00:00.000Z', to: '2026-11-21T21:00:00.000Z', types: ['UserBlockedEvent'] },
      { from: '2026-11-21T21:00:00.000Z', to: '2026-11-21T22:00:00.000Z', types: ['UserCreatedEvent'] },
    ]);
  });

  its('does not miss what a filter leaves out', async () => {
    const filter = (one: LedgerService): void =>
      void (one.target = { ...one.target, types: ['UserCreatedEvent'] });
    const own = stories.filter(({ accepted }) => accepted.type === 'UserCreatedEvent');
    expect(await reconcile(own, {}, filter)).toMatchObject({ complete: true });
    await service?.stop();
    expect(await reconcile(own.slice(1), {}, filter)).toMatchObject({ missing: [idOf(0)] });
  });

  its('does not judge what still waits, or has just been accepted', async () => {
    const waits = (one: LedgerService): void =>
      void (one.target = {
        ...one.target,
        oldestWaitingAt: new Date((start + 1.5 * hourSeconds) * 1000).toISOString(),
      });
    const result = await reconcile([], {}, waits);
    expect(result.hours.map(({ status }) => status)).toEqual(['incomplete', 'unjudged', 'unjudged']);
    await service?.stop();
    const soon = await reconcile([], { now: start + 3 * hourSeconds + 14 * 60 });
    expect(soon.hours.map(({ status }) => status)).toEqual(['incomplete', 'incomplete', 'unjudged']);
    expect(soon).toMatchObject({ complete: false, unjudged: [soon.hours[2]?.hour] });
  });

  its('does not believe a list that has other ids than were counted', async () => {
    const lies = (one: LedgerService): void => {
      one.fault = (call) =>
        /ledger\/./.test(call) ? { status: 200, body: { eventIds: [randomUUID()] } } : undefined;
    };
    await expect(reconcile(without(0), {}, lies)).rejects.toThrow('do not match its digest');
  });
});

its('the program compares a bucket', async () => {
  const acceptedAt = Date.now() - 2 * 3_600_000;
  const own = [randomUUID(), randomUUID()].map((eventId) => {
    const occurredTime = new Date(acceptedAt).toISOString();
    return event('a', { metadata: { eventId, occurredTime } });
  });
  const accepted = own.map(({ metadata: { eventId, type } }) => ({ eventId, type, acceptedAt }));
  service = new LedgerService(accepted);
  const OMI_BASE_URL = await service.start();
  const hour = new Date(acceptedAt + 3_600_000).toISOString().slice(0, 13).replace(/[-T]/g, '/');
  const client = { OMI_CLIENT_ID: 'client', OMI_CLIENT_SECRET: 'secret' };
  const env = { OMI_BASE_URL, OMI_TOKEN_URL: `${OMI_BASE_URL}/token`, ...client };
  const compare = async (events: Event[]): Promise<string> => {
    const key = `${hour}/public/object`;
    return await feedPython({ bucketToReconcile: { [key]: base64(`${recordOf(...events)}\n`) } }, env);
  };
  expect(await compare(own)).toContain('{"code": 0}');
  const incomplete = await compare(own.slice(1));
  expect(incomplete).toContain('{"code": 1}');
  expect(incomplete).toContain(own[0]?.metadata.eventId);
  expect(service.replays).toHaveLength(1);
});
