import { beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { indexPartitions } from '../../../core/events/event-keys.ts';
import { hours, rfc3339 } from '../../../core/kernel/time.ts';
import { tenantLambdas } from '../../../lambdas/routes.ts';
import { accessKeyIdOf } from '../../../tools/local/lambda/runtime-environment.ts';
import { recording } from '../../support/recorded-calls.ts';
import { giveUp } from '../../support/give-up.ts';
import type { TestStack } from '../../support/stack.ts';
import { TenantConsole } from '../exports-api/tenant-console.ts';
import { succeeded } from '../expectations.ts';

const callers = new Set([...tenantLambdas].map((lambda) => accessKeyIdOf(lambda)));

const queries = Array.from({ length: indexPartitions }, () => 'Query');

/** As docs/architecture.md has them. */
const budgets = {
  list: ['Query'],
  test: ['BatchGetItem', 'GetItem', 'UpdateItem', 'SendMessage', 'UpdateItem'],
  pause: ['BatchGetItem', 'UpdateItem'],
  repeated: ['BatchGetItem'],
  resumeWhileEventsWait: ['BatchGetItem', 'UpdateItem'],
  resume: ['BatchGetItem', 'UpdateItem', 'UpdateItem', 'BatchGetItem'],
  replay: ['BatchGetItem', 'GetItem', 'UpdateItem', 'PutItem', 'SendMessage'],
  sending: ['BatchGetItem', 'GetItem', 'UpdateItem', ...queries, 'PutItem', 'SendMessage'],
  dismissal: ['BatchGetItem', 'TransactWriteItems', 'BatchGetItem'],
  progress: ['GetItem'],
  hourOfIds: queries,
};

/** What it costs a tenant to see and steer its export. */
export function tenantRoundTrips(stack: TestStack): void {
  let tenant: TenantConsole;
  beforeAll(async () => {
    tenant = await TenantConsole.open(stack);
    await tenant.activateStream();
  });

  /** What the Lambda of the route called, without the authorizer. */
  const costOf = async (status: number, method: 'GET' | 'POST', path: string, json?: unknown) => {
    const { result, calls } = await recording(stack, async () => {
      const body = json === undefined ? {} : { json };
      return await tenant.client.call({ method, path: `/omi/exports${path}`, ...body }, v.unknown());
    });
    succeeded(result, status);
    const own = calls.filter(({ caller }) => callers.has(caller)).map(({ operation }) => operation);
    return { own, answer: JSON.parse(result.text) as Record<string, unknown> };
  };

  const costs = async (...request: Parameters<typeof costOf>): Promise<string[]> =>
    (await costOf(...request)).own;

  test('the list of exports is one read', async () => {
    expect(await costs(200, 'GET', '')).toEqual(budgets.list);
  });

  test('a test is two reads, two writes and a message', async () => {
    expect(await costs(202, 'POST', '/public/test')).toEqual(budgets.test);
  });

  test('pausing and resuming are one read and one write, and resuming one write less with waiting events', async () => {
    expect(await costs(200, 'POST', '/public/pause')).toEqual(budgets.pause);
    expect(await costs(200, 'POST', '/public/pause')).toEqual(budgets.repeated);
    expect(await costs(200, 'POST', '/public/resume')).toEqual(budgets.resume);
    expect(await costs(200, 'POST', '/public/resume')).toEqual(budgets.repeated);
    await costs(200, 'POST', '/public/pause');
    await tenant.recordEvent();
    await tenant.register.becomes(tenant.ref(), 'waiting', ({ parkedCount }) => parkedCount === 1);
    expect(await costs(200, 'POST', '/public/resume')).toEqual(budgets.resumeWhileEventsWait);
  });

  test('a replay is two reads, two writes and a message, and its progress one read', async () => {
    const range = { from: rfc3339(Date.now() - hours), to: rfc3339(Date.now()) };
    const { own, answer } = await costOf(202, 'POST', '/public/replays', range);
    expect(own).toEqual(budgets.replay);
    const progress = `/public/replays/${String(answer['replayId'])}`;
    expect(await costs(200, 'GET', progress)).toEqual(budgets.progress);
  });

  test('sending an event of the last hour again is a replay, and one read of each shard', async () => {
    const eventId = await tenant.recordEvent();
    expect(await costs(202, 'POST', `/public/events/${eventId}/send`)).toEqual(budgets.sending);
  });

  test('leaving given-up events missing is two reads and a transaction, and one read where there are none', async () => {
    await giveUp(stack, tenant.tenantId, [{ cause: 'errors', from: 1, to: 2, events: 26 }]);
    const dismissal = { reason: 'The bank has them.' };
    expect(await costs(200, 'POST', '/public/dismiss', dismissal)).toEqual(budgets.dismissal);
    expect(await costs(200, 'POST', '/public/dismiss', dismissal)).toEqual(budgets.repeated);
  });

  test("the ledger is one read plus one for each shard of uncounted hours, and an hour's ids one for each shard", async () => {
    const hour = Math.floor(Date.now() / hours) * hours - 2 * hours;
    const ledgerOf = (from: number, to = from + hours) =>
      `/public/ledger?${new URLSearchParams({ from: rfc3339(from), to: rfc3339(to) }).toString()}`;
    const counted = ['Query', ...budgets.hourOfIds];
    const day = ledgerOf(hour - 20 * hours, hour + hours);
    expect(await costs(200, 'GET', day)).toEqual([...counted, 'BatchWriteItem']);
    expect(await costs(200, 'GET', day)).toEqual(['Query']);
    // The current hour goes on.
    expect(await costs(200, 'GET', ledgerOf(hour + 2 * hours))).toEqual(counted);
    const name = `${rfc3339(hour).slice(0, 13)}:00:00Z`;
    expect(await costs(200, 'GET', `/public/ledger/${name}`)).toEqual(budgets.hourOfIds);
  });
}
