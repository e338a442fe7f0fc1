import { expect } from '@jest/globals';
import * as v from 'valibot';
import type { Event } from '../../../core/events/event.ts';
import { minutes, rfc3339 } from '../../../core/kernel/time.ts';
import { untilCalled } from '../../support/recorded-calls.ts';
import type { TestStack } from '../../support/stack.ts';
import { markAsGrown } from '../exports-log/log-marks.ts';
import { TenantConsole } from '../exports-api/tenant-console.ts';
import { earlierHour, recordEarlier } from '../ledger/earlier-events.ts';

const log = '/omi/exports/public/log';

const proofOf = (event: Event | undefined): string => {
  const { eventId = '', ...metadata } = event?.metadata ?? {};
  const aggregateId = 'aggregateId' in metadata ? metadata.aggregateId : '';
  return `${log}/proofs/inclusion?${new URLSearchParams({ eventId, aggregateId }).toString()}`;
};

/** Two minutes of a log, the proofs of one, and the checkpoint of an hour. */
async function logged(stack: TestStack): Promise<void> {
  const one = await TenantConsole.open(stack);
  const start = earlierHour();
  const events = await recordEarlier(stack, one.ref(), 2, start);
  await recordEarlier(stack, one.ref(), 1, start + 5 * minutes);
  const range = new URLSearchParams({ from: rfc3339(start), to: rfc3339(start + 60 * minutes) }).toString();
  const { minutes: found } = await one.until(
    `${log}/minutes?${range}`,
    ({ minutes: all }) => (all as unknown[]).length === 2,
  );
  const [{ minute }] = found as [{ minute: string }];
  expect(await one.get(`${log}/minutes/${minute}`)).toMatchObject({ status: 200 });
  expect(await one.get(`${log}/proofs/consistency?from=1&to=2`)).toMatchObject({ status: 200 });
  for (const event of events) expect(await one.get(proofOf(event))).toMatchObject({ status: 200 });
  const [late] = await recordEarlier(stack, one.ref(), 1, Date.now());
  expect(await one.get(proofOf(late))).toMatchObject({ status: 404 });
  await markAsGrown(stack, one.ref());
  await untilCalled(stack, 'close-minutes', 'DeleteItem');
}

/** Whoever is the first to need a checkpoint signs it. */
async function signed(stack: TestStack): Promise<void> {
  const [one, other] = [await TenantConsole.open(stack), await TenantConsole.open(stack)];
  const answer = await one.client.call({ method: 'GET', path: `${log}/checkpoint` }, v.unknown());
  expect(answer.status).toBe(200);
  await markAsGrown(stack, other.ref('log'));
  await untilCalled(stack, 'close-minutes', 'Sign');
}

export const logPaths = [logged, signed];
