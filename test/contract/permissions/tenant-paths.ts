import type { TestStack } from '../../support/stack.ts';
import { expect } from '@jest/globals';
import { hours, rfc3339 } from '../../../core/kernel/time.ts';
import { callAs, TenantConsole } from '../exports-api/tenant-console.ts';
import { giveUp } from '../../support/give-up.ts';

/** What tenants do with their own export. */
async function listed({ website }: TestStack): Promise<void> {
  const deliveries = { method: 'GET', path: '/omi/exports/public/deliveries' } as const;
  expect(await callAs(website, deliveries)).toMatchObject({ status: 200 });
  expect(await callAs(website, { method: 'GET', path: '/omi/exports' })).toMatchObject({ status: 200 });
}

/** The first call of an hour keeps what it counts. */
async function reconciled({ website }: TestStack): Promise<void> {
  const hour = Math.floor(Date.now() / hours) * hours - 2 * hours;
  const [from, to] = [rfc3339(hour), rfc3339(hour + hours)];
  const ledger = `/omi/exports/public/ledger?${new URLSearchParams({ from, to }).toString()}`;
  const ids = `/omi/exports/public/ledger/${from.slice(0, 13)}:00:00Z`;
  for (const path of [ledger, ids])
    expect(await callAs(website, { method: 'GET', path })).toMatchObject({ status: 200 });
}

async function steered(stack: TestStack): Promise<void> {
  const one = await TenantConsole.open(stack);
  await one.activateStream();
  for (const action of ['test', 'pause', 'resume'])
    expect((await one.post(`/omi/exports/public/${action}`)).status).toBeLessThan(300);
  const range = { from: rfc3339(Date.now() - hours), to: rfc3339(Date.now()) };
  await giveUp(stack, one.tenantId, [{ cause: 'errors', from: 1, to: 2, events: 1 }]);
  const dismissal = { reason: 'The bank has it.' };
  expect((await one.post('/omi/exports/public/dismiss', dismissal)).status).toBe(200);
  const started = await one.post('/omi/exports/public/replays', range);
  expect(started).toMatchObject({ status: 202 });
  const { replayId } = started.body as { replayId: string };
  expect(await one.get(`/omi/exports/public/replays/${replayId}`)).toMatchObject({ status: 200 });
  const eventId = await one.recordEvent();
  expect((await one.post(`/omi/exports/public/events/${eventId}/send`)).status).toBe(202);
}

export const tenantPaths = [listed, reconciled, steered];
