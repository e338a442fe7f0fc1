import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { WebsiteClient } from '../../../client/website-client.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, retryAfterOf, succeeded } from '../expectations.ts';
import { createdEvent } from './event.ts';
import { record } from './recorder.ts';

export function rate(stack: TestStack): void {
  const eventsOf = (tenantId: string, count: number) =>
    Array.from({ length: count }, () => createdEvent(tenantId));

  test('are limited for each tenant, and refused ones can be sent again', async () => {
    const json = jsonOn(stack);
    const { tenantId } = await json<{ tenantId: string }>(
      ...['tenant', 'create', '--name', 'Greedy', '--events-per-second', '100'],
    );
    const made = await json<{ clientId: string; clientSecret: string }>(
      ...['client', 'create', '--tenant', tenantId, '--name', 'platform', '--scope', 'all'],
    );
    const greedy = new WebsiteClient({ ...stack.file, ...made });
    succeeded(await record(greedy, eventsOf(tenantId, 1)), 202);
    const calls = Array.from({ length: 8 }, () => eventsOf(tenantId, 60));
    const answers = await Promise.all(calls.map(async (events) => await record(greedy, events)));
    const refused = answers.flatMap((answer, index) => (answer.ok ? [] : [{ answer, index }]));
    expect(refused.length).toBeGreaterThan(0);
    for (const { answer } of refused) {
      expectProblem(answer, 429, 'too-many-requests');
      expect(retryAfterOf(answer)).toBe(1);
    }
    const { tenantId: other } = stack.file.tenants[0];
    succeeded(await record(stack.website, eventsOf(other, 100)), 202);
    const again = calls[refused[0]?.index ?? 0] ?? [];
    await setTimeout(1_000);
    succeeded(await record(greedy, again), 202);
  });

  const counter = { service: 'dynamodb', operation: 'UpdateItem', resource: localTables.ledger } as const;

  test('are not accepted while their counter is throttled, which too many calls do', async () => {
    const { tenantId } = stack.file.tenants[0];
    const events = eventsOf(tenantId, 1);
    const answer = await withFault(
      stack.file,
      { ...counter, fault: 'throttle' },
      async () => await record(stack.website, events),
    );
    expectProblem(answer, 503, 'temporarily-unavailable');
    succeeded(await record(stack.website, events), 202);
  });

  test('are accepted while their counter is unavailable', async () => {
    const { tenantId } = stack.file.tenants[0];
    await withFault(stack.file, { ...counter, fault: 'unavailable' }, async () => {
      succeeded(await record(stack.website, eventsOf(tenantId, 1)), 202);
    });
  });
}
