/** The ledger of accepted events, by the API, and what a tenant finds out with it. Its tenants are of its own. */
import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Exports } from '#consumer';
import { hours, rfc3339 } from '../../core/kernel/time.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { callAs, TenantConsole } from './exports-api/tenant-console.ts';
import { earlierHour, newEvent, recordEarlier } from './ledger/earlier-events.ts';

const stack = useSharedStack();

type Sum = { count: number; digest: string };
type Hour = Sum & { hour: string; types: Record<string, Sum>; final: boolean };

const ledgerPath = ({ from, to, category = 'public' }: { from: number; to: number; category?: string }) =>
  `/omi/exports/${category}/ledger?${new URLSearchParams({ from: rfc3339(from), to: rfc3339(to) }).toString()}`;

/** As the API's documentation defines it. */
function sumOf(ids: readonly string[]): Sum {
  let sum = 0n;
  for (const id of ids)
    sum = (sum + BigInt(`0x${createHash('sha256').update(id).digest('hex')}`)) % (1n << 256n);
  return { count: ids.length, digest: sum.toString(16).padStart(64, '0') };
}

const idsOf = (events: readonly { metadata: { eventId: string } }[]): string[] =>
  events.map(({ metadata }) => metadata.eventId);

/** Counting for the first time may take longer than a call: the next call goes on. */
async function hoursOf(console: TenantConsole, path: string, attempt = 1): Promise<Hour[]> {
  const { status, body } = await console.get(path);
  if (status === 503 && attempt < 5) return await hoursOf(console, path, attempt + 1);
  expect({ status, body }).toMatchObject({ status: 200 });
  return (body as { hours: Hour[] }).hours;
}

const exportsOf = ({ client }: TenantConsole): Exports =>
  new Exports({ baseUrl: client.baseUrl, token: async () => await client.accessToken() });

/** The hour of {@link recordEarlier}. */
const earlierRange = () => ({ from: earlierHour(), to: earlierHour() + hours });

describe('the ledger', () => {
  test('lists each accepted event once and immediately, even one sent twice, and no rejected one', async () => {
    const one = await TenantConsole.open(stack);
    const loud = newEvent(one.ref(), randomUUID().toUpperCase());
    const events = [loud, ...Array.from({ length: 4 }, () => newEvent(one.ref()))];
    const begin = Date.now();
    for (const call of [events, events.slice(0, 2), [newEvent(one.ref('log'))]])
      expect(await one.post('/omi/events', { events: call })).toMatchObject({ status: 202 });
    const refused = { ...newEvent(one.ref()), payload: {} };
    expect(await one.post('/omi/events', { events: [refused] })).toMatchObject({ status: 400 });

    const found = await hoursOf(one, ledgerPath({ from: begin, to: Date.now() + hours }));
    // The test may run over the end of an hour.
    const count = found.reduce((total, hour) => total + hour.count, 0);
    expect(count).toBe(events.length);
    if (found.length === 1)
      expect(found).toEqual([
        {
          hour: `${rfc3339(begin).slice(0, 13)}:00:00Z`,
          ...sumOf(idsOf(events)),
          types: { UserCreatedEvent: sumOf(idsOf(events)) },
          final: false,
        },
      ]);
    const listed: string[] = [];
    for (const { hour } of found)
      for await (const id of exportsOf(one).eventIds('public', hour)) listed.push(id);
    expect(listed.toSorted()).toEqual(idsOf(events).toSorted());
    expect(await hoursOf(one, ledgerPath({ from: begin, to: Date.now(), category: 'log' }))).toMatchObject([
      { count: 1 },
    ]);
  });

  test('contains nothing of another tenant, whose hours and ids stay unknown', async () => {
    const [one, other] = [await TenantConsole.open(stack), await TenantConsole.open(stack)];
    await recordEarlier(stack, one.ref(), 3);
    const path = ledgerPath(earlierRange());
    expect(await hoursOf(one, path)).toMatchObject([{ count: 3, final: true }]);
    expect(await hoursOf(other, path)).toMatchObject([{ count: 0, types: {}, digest: '0'.repeat(64) }]);
    const hour = `${rfc3339(earlierHour()).slice(0, 13)}:00:00Z`;
    const listing = await other.get(`/omi/exports/public/ledger/${hour}`);
    expect(listing).toMatchObject({ status: 200, body: { eventIds: [] } });
  });
});

describe('a ledger request', () => {
  const now = Date.now();
  const hourAt = (time: number): string => `${rfc3339(time).slice(0, 13)}:00:00Z`;
  const wrong: [string, string, string][] = [
    ['another category', ledgerPath({ from: now - hours, to: now, category: 'private' }), '#/path/category'],
    ['no start', `/omi/exports/public/ledger?to=${rfc3339(now)}`, '#/query/from'],
    ['an empty range', ledgerPath({ from: now - hours, to: now - hours }), '#/query/to'],
    ['an hour in another form', '/omi/exports/public/ledger/2026-03-01T08', '#/path/hour'],
    [
      'a cursor of another hour',
      `/omi/exports/public/ledger/${hourAt(now - hours)}?cursor=0.${now + hours}-0`,
      '#/query/cursor',
    ],
  ];
  test.each(wrong)('is rejected with the reason for %s', async (_, path, pointer) => {
    const { status, body } = await callAs(stack.website, { method: 'GET', path });
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
    expect((body as { errors: object[] }).errors).toContainEqual({
      pointer,
      detail: expect.stringMatching(/^expected /),
    });
  });
});
