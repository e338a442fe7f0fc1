/** The API by which tenants see and steer their own export. Its tenants are of its own. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { describeTargetStatus } from '../../core/export/targets/target-status.ts';
import { requestLimits } from '../../core/export/targets/request-limit-store.ts';
import { jsonOn, omiOn } from '../cli/omi.ts';
import { proving, Receiver } from '../support/receiver.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { Arrivals } from './export-faults/arrivals.ts';
import { countsAddUp } from './export-faults/counts.ts';
import { beginFault } from './export-faults/faults.ts';
import { idsOf, joined, newKeys, recordRounds } from './export-faults/recorded.ts';
import { hostileTenants } from './exports-api/hostile-tenants.ts';
import { signedInMembers } from './exports-api/signed-in-members.ts';
import { decodeRecord, Exports, isTest } from '#consumer';
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

  test('have the same members for every kind', async () => {
    const [one, other] = [await TenantConsole.open(stack), await TenantConsole.open(stack)];
    const { targets } = one.register;
    const webhook = { kind: 'webhook' as const, url: 'https://events.example.com/', lanes: 2 };
    await targets.register(one.ref('public'), webhook, Date.now());
    await targets.register(one.ref('log'), { kind: 'none' }, Date.now());
    const bus = {
      kind: 'bus' as const,
      busArn: 'arn:aws:events:eu-central-1:111122223333:event-bus/events',
      roleArn: 'arn:aws:iam::111122223333:role/omi-event-export',
      externalId: randomUUID(),
    };
    await targets.register(other.ref('public'), bus, Date.now());
    const demo = await callAs(stack.website, { method: 'GET', path: '/omi/exports' });
    const all = [
      ...(await listed(one)),
      ...(await listed(other)),
      ...(demo.body as { exports: ExportEntry[] }).exports,
    ];
    const kinds = all.map(({ destination }) => (destination as { kind: string }).kind);
    expect(kinds.toSorted()).toEqual(['bucket', 'bus', 'none', 'stream', 'webhook']);
    const members = [
      'category',
      'destination',
      'state',
      'since',
      'reason',
      'accepted',
      'delivered',
      'waiting',
    ];
    members.push('oldestWaitingAt', 'types', 'lastTest');
    // Nothing is wrong, or to be added. `inBucket` is of buckets alone.
    const further = ['action', 'inBucket', 'replayed'];
    for (const entry of all) {
      expect(Object.keys(entry)).toEqual(expect.arrayContaining(members));
      expect(Object.keys(entry).filter((name) => ![...members, ...further].includes(name))).toEqual([]);
    }
    expect(all[0]).toMatchObject({
      ...{ state: 'validating', destination: { kind: 'webhook', url: webhook.url }, lastTest: null },
      action: { who: 'operator', what: 'The operator or the tenant must ask for a test.' },
    });
    expect(all[1]).toMatchObject({ state: 'active', destination: { kind: 'none' }, types: null });
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
        requestedTo: new Date(range.to).toISOString(),
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
    type Delivery = Record<string, unknown> & { outcome: string; eventIds: string[] };
    const path = '/omi/exports/public/deliveries';
    const listed = await one.until(path, ({ deliveries }) =>
      (deliveries as Delivery[]).some(({ outcome }) => outcome === 'failed'),
    );
    const deliveries = listed['deliveries'] as Delivery[];
    const failed = deliveries.find(({ outcome }) => outcome === 'failed');
    expect(failed).toMatchObject({
      ...{ events: 1, delivered: 0, status: 401, answer: '{"error":"invalid signature"}' },
      ...{ code: 'Webhook.Http401', actor: 'tenant', durationMs: expect.any(Number) },
    });
    expect(failed?.eventIds).toHaveLength(1);
    expect(deliveries.at(-1)).toMatchObject({ outcome: 'delivered', events: 1, delivered: 1 });
    expect(JSON.stringify(deliveries)).not.toContain('whsec_');

    const newest = (await one.get(`${path}?limit=1`)).body as { deliveries: Delivery[]; cursor: string };
    expect(newest.deliveries).toHaveLength(1);
    const next = (await one.get(`${path}?limit=100&cursor=${newest.cursor}`)).body as typeof newest;
    expect(next.deliveries.length).toBeGreaterThan(0);
    for (const query of ['limit=0', 'limit=101', 'cursor=x'])
      expect((await one.get(`${path}?${query}`)).status).toBe(400);
    const other = await TenantConsole.open(stack);
    expect((await other.get(path)).body).toEqual({ deliveries: [] });

    const shown = await omiOn(stack)(['target', 'deliveries', one.tenantId, 'public', '--limit', '100']);
    expect(shown.out).toMatch(/failed .*Webhook\.Http401 .*invalid signature/);
    await receiver.close();
  });

  test('sends a test event that consumers know, and that nothing counts', async () => {
    const one = await TenantConsole.open(stack);
    const receiver = await Receiver.start(proving);
    const url = `${receiver.origin}/${randomUUID()}`;
    await jsonOn(stack)('target', 'set', 'webhook', one.tenantId, 'public', '--url', url);
    await one.untilListed(({ state }) => state === 'active');
    const asked = await one.post('/omi/exports/public/test', { type: 'UserSignedInEvent' });
    expect(asked).toMatchObject({
      status: 202,
      body: { lastTest: { event: { type: 'UserSignedInEvent', eventId: expect.any(String) } } },
    });
    const { event } = (asked.body as { lastTest: { event: { eventId: string } } }).lastTest;
    const listedThen = await one.untilListed(({ lastTest }) => {
      const { outcome, event: its } = lastTest as { outcome: string; event?: { eventId: string } };
      return outcome === 'passed' && its?.eventId === event.eventId;
    });
    expect(listedThen).toMatchObject({ state: 'active', accepted: 0, delivered: 0 });
    const call = receiver.calls.find(({ text }) => text.includes(event.eventId));
    const [sent] = decodeRecord(call?.text ?? '');
    expect(sent).toMatchObject({ metadata: { ...event, tenantId: one.tenantId } });
    expect(sent && isTest(sent)).toBe(true);
    const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000).toISOString();
    const to = new Date().toISOString();
    const range = new URLSearchParams({ from: hour, to }).toString();
    expect((await one.get(`/omi/exports/public/ledger?${range}`)).body).toMatchObject({
      hours: [{ count: 0 }],
    });
    expect((await one.get('/omi/exports/public/deliveries')).body).toEqual({ deliveries: [] });

    receiver.behave = (response, received, calls) =>
      received.text.includes('challenge')
        ? proving(response, received, calls)
        : void response.writeHead(422).end();
    const omi = ['target', 'test', one.tenantId, 'public', '--type', 'UserCreatedEvent'];
    const refused = await omiOn(stack)(omi);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Webhook.Http422') });
    expect(await listed(one)).toMatchObject([{ state: 'active', lastTest: { outcome: 'failed' } }]);
    receiver.behave = proving;
    expect((await omiOn(stack)(omi)).out).toContain('passed');
    await receiver.close();
  });

  test('shows a sample of each type that the export has, and refuses a test event of another one', async () => {
    const one = await TenantConsole.open(stack);
    const destination = await one.account.makeStream({ shards: 1 });
    await one.register.activate(one.ref(), destination, ['UserCreatedEvent', 'UserBlockedEvent']);
    type WithSamples = { exports: { samples?: { metadata: object }[] }[] };
    const samplesBy = async (query: string) =>
      ((await one.get(`/omi/exports${query}`)).body as WithSamples).exports[0]?.samples;
    expect(await samplesBy('?samples=true')).toMatchObject([
      { metadata: { type: 'UserBlockedEvent', producerId: 'omi-test' }, payload: {} },
      { metadata: { type: 'UserCreatedEvent', tenantId: one.tenantId } },
    ]);
    expect(await samplesBy('?samples=false')).toBeUndefined();
    expect(await one.get('/omi/exports?samples=all')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '#/query/samples' }] },
    });
    for (const type of ['UserSignedInEvent', 'NoSuchEvent', ''])
      expect(await one.post('/omi/exports/public/test', { type })).toMatchObject({
        status: 400,
        body: { code: 'invalid-request', errors: [{ pointer: '/type' }] },
      });
    const omi = omiOn(stack);
    const asked = await omi(['target', 'test', one.tenantId, 'public', '--type', 'UserSignedInEvent']);
    expect(asked).toMatchObject({ code: 1, err: expect.stringContaining('UserBlockedEvent') });
  });

  test('sends one event again by its id', async () => {
    const one = await TenantConsole.open(stack);
    const arrivals = await Arrivals.ofStream(stack.file, await one.activateStream());
    const recorded = await recordRounds({ website: one.client, ...one.ref() }, newKeys(2), 2);
    await arrivals.include(recorded);
    const [eventId = ''] = idsOf(recorded);
    const range = { from: new Date(Date.now() - 600_000).toISOString(), to: new Date().toISOString() };
    const started = await one.post('/omi/exports/public/replays', { ...range, eventIds: [eventId] });
    expect(started).toMatchObject({ status: 202, body: { eventIds: [eventId] } });
    const { replayId } = started.body as { replayId: string };
    const done = await one.until(`/omi/exports/public/replays/${replayId}`, ({ state }) => state === 'done');
    expect(done).toMatchObject({ eventsSent: 1, eventIds: [eventId] });
    await arrivals.until('the event', () => arrivals.duplicates === 1);
    expect(arrivals.ids.filter((id) => id === eventId)).toHaveLength(2);
    arrivals.close();
    for (const [eventIds, pointer] of [
      [['no-id'], '/eventIds/0'],
      [[], '/eventIds'],
      [eventId, '/eventIds'],
    ])
      expect(await one.post('/omi/exports/public/replays', { ...range, eventIds })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer }] },
      });
    const omi = ['replay', one.tenantId, 'public', '--event-id', randomUUID(), eventId];
    expect(await jsonOn(stack)(...omi)).toMatchObject({ state: 'done', eventsSent: 1 });
  });

  test('limits tests and replays and says when to retry', async () => {
    const one = await TenantConsole.open(stack);
    await one.activateStream();
    const range = { from: new Date(Date.now() - 60_000).toISOString(), to: new Date().toISOString() };
    for (const [path, body, limit] of [
      ['/omi/exports/public/test', undefined, requestLimits.tests],
      ['/omi/exports/public/replays', range, requestLimits.replays],
    ] as const) {
      for (let asked = 0; asked < limit; asked += 1) expect((await one.post(path, body)).status).toBe(202);
      const refused = await one.post(path, body);
      expect(refused).toMatchObject({ status: 429, body: { code: 'too-many-requests' } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    }
  });

  test('rejects invalid requests with their faults', async () => {
    const one = await TenantConsole.open(stack);
    expect(await one.post('/omi/exports/other/pause')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '#/path/category' }] },
    });
    expect(
      await one.post('/omi/exports/public/replays', { from: 'yesterday', to: '2026-02-31T00:00:00Z', x: 1 }),
    ).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/from' }, { pointer: '/to' }, { pointer: '/x' }] },
    });
    expect(await one.post('/omi/exports/public/test', { proof: 7 })).toMatchObject({ status: 400 });
    for (const action of ['test', 'pause', 'resume'])
      expect(await one.post(`/omi/exports/public/${action}`, { force: true })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/force', detail: 'expected no such member' }] },
      });
    for (const action of ['test', 'pause', 'resume'])
      expect(await one.post(`/omi/exports/public/${action}`)).toMatchObject({
        status: 404,
        body: { code: 'export-not-found' },
      });
    expect(await one.get(`/omi/exports/public/replays/${randomUUID()}`)).toMatchObject({ status: 404 });
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
  expect(listed).toMatchObject({ givenUp: [{ reason: expect.stringContaining('errors/') }] });

  const replay = await jsonOn(stack)<{ state: string; eventsSent: number }>('replay', ...omi, '--given-up');
  expect(replay.state).toBe('done');
  const later = await recordRounds(source, keys, 1);
  await bucket.include(joined(before, failed, later));
  const lost = new Set(idsOf(failed));
  expect(bucket.ids.filter((id) => lost.has(id))).toHaveLength(lost.size);
  await countsAddUp(one, ref, unbroken, joined(before, failed, later));
  const target = await register.becomes(ref, 'known to be complete', (found) => {
    const { accepted, inBucket, replayed } = describeTargetStatus(found, Date.now());
    return inBucket === accepted && replayed === replay.eventsSent;
  });
  expect(target).not.toHaveProperty('givenUp');
  bucket.close();
});

describe('a hostile tenant', () => hostileTenants(stack));
describe('members who have signed in at the exports page', () => signedInMembers(stack));
