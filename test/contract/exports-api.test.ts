/** The API by which tenants see and steer their own export. Its tenants are of its own. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { describeTargetStatus } from '../../core/export/targets/target-status.ts';
import { jsonOn, omiOn } from '../cli/omi.ts';
import { proving, Receiver } from '../support/receiver.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { Arrivals } from './export-faults/arrivals.ts';
import { countsAddUp } from './export-faults/counts.ts';
import { beginFault } from './export-faults/faults.ts';
import { idsOf, joined, newKeys, recordRounds } from './export-faults/recorded.ts';
import { hostileTenants } from './exports-api/hostile-tenants.ts';
import { signedInMembers } from './exports-api/signed-in-members.ts';
import { Exports } from '#consumer';
import { callAs, type ExportEntry, TenantConsole } from './exports-api/tenant-console.ts';

const stack = useSharedStack();

const listed = async (console: TenantConsole): Promise<ExportEntry[]> => {
  const { status, body } = await console.get('/omi/exports');
  expect(status).toBe(200);
  return (body as { exports: ExportEntry[] }).exports;
};

describe("a tenant's exports", () => {
  test('are listed with state, reason and counts', async () => {
    const one = await TenantConsole.open(stack);
    expect(await listed(one)).toEqual([]);
    const { streamArn, roleArn, lanes } = await one.activateStream();
    expect(await listed(one)).toEqual([
      {
        category: 'public',
        destination: { kind: 'stream', streamArn, roleArn, lanes },
        state: 'active',
        since: expect.any(String),
        reason: 'Events are delivered as they come.',
        accepted: 0,
        delivered: 0,
        waiting: 0,
        oldestWaitingAt: null,
        types: null,
        lastTest: null,
      },
    ]);
  });

  test('do not include those of another tenant', async () => {
    const [demo, neighbour] = await Promise.all(
      [stack.website, stack.neighbour].map(async (website) =>
        JSON.stringify((await callAs(website, { method: 'GET', path: '/omi/exports' })).body),
      ),
    );
    expect(demo).toContain('omi-local-demo-public');
    expect(demo).not.toContain('neighbour');
    expect(neighbour).toContain('omi-local-neighbour-events');
    expect(neighbour).not.toContain('demo');
  });
});

/** Lets an account in that is not the service's. */
const trustOfAnother = {
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::999999999999:root' }, Action: 'sts:AssumeRole' },
  ],
};

describe("a tenant's control of its export", () => {
  test('names the policy to paste after a failed test, and the next test passes', async () => {
    const one = await TenantConsole.open(stack);
    const { account } = one;
    const destination = await account.makeStream({ shards: 1 });
    await one.register.activate(one.ref(), destination);
    await account.changeTrust(destination, trustOfAnother);
    const asked = await one.post('/omi/exports/public/test');
    expect(asked).toMatchObject({
      status: 202,
      body: { category: 'public', lastTest: expect.any(Object) },
    });
    const failed = await one.untilListed(({ action }) => action !== undefined);
    expect(failed).toMatchObject({
      action: { who: 'tenant', policy: { document: 'trustPolicy', whole: { Version: '2012-10-17' } } },
    });
    const { whole } = (failed['action'] as { policy: { whole: object } }).policy;
    // What the answer says to paste is what helps.
    await account.changeTrust(destination, whole);
    expect((await one.post('/omi/exports/public/test', {})).status).toBe(202);
    const passed = await one.untilListed(({ code }) => code === undefined);
    expect(passed).not.toHaveProperty('action.policy');
  });

  test('holds events while paused and delivers them when resumed, but the operator has the last word', async () => {
    const one = await TenantConsole.open(stack);
    await one.activateStream();
    const omi = omiOn(stack);
    const cli = async (command: string) => await omi(['target', command, one.tenantId, 'public', '--json']);
    expect(await one.post('/omi/exports/public/pause')).toMatchObject({
      status: 200,
      body: { state: 'paused', action: { who: 'tenant' } },
    });
    expect(JSON.parse((await cli('status')).out)).toMatchObject([{ pausedBy: 'tenant' }]);
    await one.recordEvent();
    await one.register.becomes(one.ref(), 'waiting', ({ parkedCount }) => parkedCount === 1);
    expect(await one.post('/omi/exports/public/resume')).toMatchObject({ status: 200 });
    const drained = await one.register.reaches(one.ref(), 'active');
    expect(drained.deliveredCount).toBe(1);
    expect(await one.post('/omi/exports/public/pause')).toMatchObject({ status: 200 });
    expect((await cli('pause')).code).toBe(0);
    expect(await one.post('/omi/exports/public/resume')).toMatchObject({
      status: 409,
      body: { code: 'paused-by-operator' },
    });
    expect((await cli('resume')).code).toBe(0);
    expect(await one.post('/omi/exports/public/resume')).toMatchObject({
      status: 200,
      body: { state: 'active' },
    });
  });

  test('sends events again in a replay and reports its progress', async () => {
    const one = await TenantConsole.open(stack);
    await one.activateStream();
    await one.recordEvent();
    await one.register.becomes(one.ref(), 'delivered', ({ deliveredCount }) => deliveredCount === 1);
    const range = { from: new Date(Date.now() - 600_000).toISOString(), to: '2099-01-01T00:00:00+01:00' };
    const started = await one.post('/omi/exports/public/replays', range);
    expect(started).toMatchObject({
      status: 202,
      body: {
        ...{ replayId: expect.any(String), category: 'public', state: 'running', from: range.from },
        // A time in the future became now, and the answer says so.
        clamped: true,
      },
    });
    const { replayId, to } = started.body as { replayId: string; to: string };
    expect(Date.parse(to)).toBeLessThanOrEqual(Date.now());
    const path = `/omi/exports/public/replays/${replayId}`;
    const done = await one.until(path, ({ state }) => state !== 'running');
    expect(done).toMatchObject({ state: 'done', eventsSent: 1 });
    const other = await TenantConsole.open(stack);
    for (const answer of [await other.get(path), await one.get(path.replace('public', 'log'))])
      expect(answer).toMatchObject({ status: 404, body: { code: 'replay-not-found' } });
  });

  test('sends one event again, by its id alone', async () => {
    const one = await TenantConsole.open(stack);
    await one.activateStream();
    const ids = [await one.recordEvent(), await one.recordEvent()];
    await one.register.becomes(one.ref(), 'delivered', ({ deliveredCount }) => deliveredCount === 2);
    const sendAgain = async (eventId: string, by = one) =>
      await by.post(`/omi/exports/public/events/${eventId}/send`, {});
    const started = await sendAgain(String(ids[0]).toUpperCase());
    expect(started).toMatchObject({ status: 202, body: { state: 'running', eventIds: [ids[0]] } });
    const { replayId } = started.body as { replayId: string };
    const isOver = ({ state }: Record<string, unknown>) => state !== 'running';
    const done = await one.until(`/omi/exports/public/replays/${replayId}`, isOver);
    expect(done).toMatchObject({ state: 'done', eventsSent: 1 });
    await one.register.becomes(one.ref(), 'sent again', ({ replayedCount }) => replayedCount === 1);
    const other = await TenantConsole.open(stack);
    await other.activateStream();
    for (const answer of [await sendAgain(randomUUID()), await sendAgain(String(ids[0]), other)])
      expect(answer).toMatchObject({ status: 404, body: { code: 'event-not-found' } });
    expect(await sendAgain('no-id')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '#/path/eventId' }] },
    });
  });

  test('lists the last deliveries, with what a receiver answered, page by page', async () => {
    const one = await TenantConsole.open(stack);
    const receiver = await Receiver.start(proving);
    const url = `${receiver.origin}/${randomUUID()}`;
    await jsonOn(stack)('target', 'set', 'webhook', one.tenantId, 'public', '--url', url);
    await jsonOn(stack)('target', 'test', one.tenantId, 'public');
    await one.recordEvent();
    await one.register.becomes(one.ref(), 'delivered', ({ deliveredCount }) => deliveredCount === 1);
    receiver.behave = (response) => {
      response.writeHead(401).end('{"error":"invalid signature"}');
    };
    await one.recordEvent();
    type Delivery = Record<string, unknown> & { outcome: string; events: { ids: string[] } };
    const path = '/omi/exports/public/deliveries';
    const listed = await one.until(path, ({ deliveries }) =>
      (deliveries as Delivery[]).some(({ outcome }) => outcome === 'failed'),
    );
    const deliveries = listed['deliveries'] as Delivery[];
    const failed = deliveries.find(({ outcome }) => outcome === 'failed');
    expect(failed).toMatchObject({
      ...{ events: { count: 1 }, status: 401, answer: '{"error":"invalid signature"}' },
      ...{
        error: expect.stringMatching(/^Webhook\.Http401: /),
        ms: expect.any(Number),
        lane: expect.any(String),
      },
    });
    expect(failed?.events.ids).toHaveLength(1);
    expect(deliveries.at(-1)).toMatchObject({ outcome: 'delivered', events: { count: 1 } });
    expect(JSON.stringify(deliveries)).not.toContain('whsec_');

    const newest = (await one.get(`${path}?limit=1`)).body as { deliveries: Delivery[]; cursor: string };
    expect(newest.deliveries).toHaveLength(1);
    const next = (await one.get(`${path}?limit=100&cursor=${newest.cursor}`)).body as typeof newest;
    expect(next.deliveries.length).toBeGreaterThan(0);
    const onlyFailed = (await one.get(`${path}?failed=true`)).body as typeof newest;
    expect(new Set(onlyFailed.deliveries.map(({ outcome }) => outcome))).toEqual(new Set(['failed']));
    for (const query of ['limit=0', 'limit=101', 'cursor=x', 'failed=yes'])
      expect((await one.get(`${path}?${query}`)).status).toBe(400);
    const other = await TenantConsole.open(stack);
    expect((await other.get(path)).body).toEqual({ deliveries: [] });

    const command = ['target', 'deliveries', one.tenantId, 'public', '--limit'];
    const first = await omiOn(stack)([...command, '1']);
    const [, cursor = ''] = /--cursor (\S+)\n$/.exec(first.out) ?? [];
    const older = await omiOn(stack)([...command, '100', '--cursor', cursor]);
    expect(first.out + older.out).toMatch(/failed .*Webhook\.Http401: .*invalid signature/);
    expect(await jsonOn(stack)(...command, '1')).toEqual({
      deliveries: [expect.anything()],
      cursor: expect.any(String) as unknown,
    });
    await receiver.close();
  });
});

test('@omi/consumer controls an export: it tests and waits, pauses, resumes and follows a replay', async () => {
  const one = await TenantConsole.open(stack);
  await one.activateStream();
  const { baseUrl } = stack.file;
  const exports = new Exports({ baseUrl, token: async () => await one.client.accessToken() });
  expect(await exports.test('public')).toMatchObject({ state: 'active', lastTest: { outcome: 'passed' } });
  const [shown] = await exports.list({ samples: true });
  const type = shown?.samples?.[0]?.metadata.type ?? '';
  expect(await exports.test('public', { type })).toMatchObject({
    lastTest: { outcome: 'passed', event: { type } },
  });
  expect(await exports.pause('public')).toMatchObject({ state: 'paused' });
  // The package's types have the members that the API always has.
  const { oldestWaitingAt, types }: { oldestWaitingAt: string | null; types: readonly string[] | null } =
    await exports.resume('public');
  expect({ oldestWaitingAt, types }).toEqual({ oldestWaitingAt: null, types: null });
  const range = { from: new Date(Date.now() - 60_000), to: new Date() };
  const { replayId } = await exports.replay('public', { ...range, eventIds: [randomUUID()] });
  expect(await exports.replayStatus('public', replayId)).toMatchObject({ replayId });
  await expect(exports.replayStatus('log', replayId)).rejects.toMatchObject({ code: 'replay-not-found' });
  await expect(exports.pause('log')).rejects.toMatchObject({ code: 'export-not-found' });
});

test('files that Firehose wrote under errors/ are reported within minutes, and one command moves them into the bucket once', async () => {
  const one = await TenantConsole.open(stack);
  const { register } = one;
  const ref = one.ref();
  const source = { website: one.client, ...ref };
  const destination = await one.account.makeBucket(ref);
  const unbroken = await register.activate(ref, destination);
  const bucket = Arrivals.ofBucket(stack.file, destination);
  const keys = newKeys(3);
  const before = await recordRounds(source, keys, 2);
  await bucket.include(before);

  const resource = destination.deliveryStreamName;
  const fault = {
    service: 'firehose',
    operation: 'ProcessRecords',
    fault: 'unavailable',
    resource,
  } as const;
  const end = await beginFault(stack.file, fault);
  const failed = await recordRounds(source, keys, 2);
  const told = await register.becomes(ref, 'short of events', ({ givenUp }) => givenUp !== undefined);
  expect(told.givenUp).toMatchObject([{ cause: 'errors' }]);
  await end();
  const omi = ['--tenant', one.tenantId, '--category', 'public'];
  expect((await omiOn(stack)(['target', 'status', ...omi])).out).toMatch(/errors\/.*--given-up/s);
  const listed = await one.untilListed(({ givenUp }) => givenUp !== undefined);
  expect(listed).toMatchObject({ givenUp: { losses: [{ reason: expect.stringContaining('errors/') }] } });

  const { body } = await one.post('/omi/exports/public/replays', { givenUp: true });
  const { replayId } = body as { replayId: string };
  const path = `/omi/exports/public/replays/${replayId}`;
  const replay = await one.until(path, ({ state }) => state !== 'running');
  expect(replay).toMatchObject({ state: 'done', count: null });
  const later = await recordRounds(source, keys, 1);
  await bucket.include(joined(before, failed, later));
  const lost = new Set(idsOf(failed));
  expect(bucket.ids.filter((id) => lost.has(id))).toHaveLength(lost.size);
  await countsAddUp(one, ref, unbroken, joined(before, failed, later));
  const target = await register.becomes(ref, 'known to be complete', (found) => {
    const { accepted, inBucket, replayed } = describeTargetStatus(found, Date.now());
    return inBucket === accepted && replayed === replay['eventsSent'];
  });
  expect(target).not.toHaveProperty('givenUp');
  bucket.close();
});

describe('a hostile tenant', () => hostileTenants(stack));
describe('members who have signed in at the exports page', () => signedInMembers(stack));
