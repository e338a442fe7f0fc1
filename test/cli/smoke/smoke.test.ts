/** `omi smoke` against a local stack: all of it, and what it says and leaves when something is broken. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { GetEndpointAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { beforeEach, expect, jest, test } from '@jest/globals';
import type { Deployment } from '../../../cli/deployment/deployment.ts';
import { Session } from '../../../cli/session.ts';
import type { Report } from '../../../cli/smoke/report.ts';
import { runSmoke } from '../../../cli/smoke/run-smoke.ts';
import { requestToken } from '../../../tools/client/access-token.ts';
import { type Fault, listPushes, withFault } from '../../../tools/local/client/local-stack.ts';
import { useExclusiveStack } from '../../support/use-stack.ts';
import { omiOn } from '../omi.ts';
import { namesOf, standingIn, type Standing } from './standing.ts';

const stack = useExclusiveStack();

let before: Standing;
beforeEach(async () => {
  before = await standingIn(stack);
});
const expectNothingLeft = async (): Promise<void> => {
  const after = await standingIn(stack);
  const now = Date.now();
  expect(namesOf(after, now)).toEqual(namesOf(before, now));
};

const reportOf = (out: string): Report => JSON.parse(out) as Report;
const named = ({ steps }: Report, status: string): string[] =>
  steps.filter((step) => step.status === status).map(({ name }) => name);
const stepOf = ({ steps }: Report, name: string) => steps.find((step) => step.name === name);

/** What goes over the wire as a client's credentials or token, to be looked for in what is printed. */
function watchCredentials(): () => string[] {
  const seen = new Set<string>();
  const original = globalThis.fetch;
  const watched = jest.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const [kind, value = ''] = (new Headers(init?.headers).get('authorization') ?? '').split(' ');
    if (kind === 'Basic') seen.add(Buffer.from(value, 'base64').toString().split(':')[1] ?? '');
    else if (value.length > 20) seen.add(value);
    return await original(input, init);
  });
  return () => {
    watched.mockRestore();
    return [...seen];
  };
}

test('every step passes, nothing is left behind, and no secret is shown', async () => {
  const credentials = watchCredentials();
  const { code, out, err } = await omiOn(stack)(['smoke', '--json']);
  const secrets = credentials();
  expect({ code, failed: code === 0 ? '' : err }).toEqual({ code: 0, failed: '' });
  const report = reportOf(out);
  expect(report).toMatchObject({ ok: true, leftovers: [] });
  expect(named(report, 'ok')).toEqual([
    ...['no-token', 'tenant', 'token', 'forged-token', 'scope', 'openid', 'stream', 'target', 'events'],
    ...[
      'export',
      'exports-api',
      'enrolment',
      'push',
      'challenge',
      'confirmation',
      'evidence',
      'ciba',
      'own-events',
    ],
    ...['removal', 'replay'],
  ]);
  expect(Number(/^(\d+) steps/.exec(stepOf(report, 'replay')?.detail ?? '')?.[1])).toBeGreaterThan(20);
  const checklist = await readFile('docs/first-deployment.md', 'utf8');
  expect(checklist).toContain(`All ${report.steps.length} steps passed, and nothing is left behind.`);
  expect(report.kept[0]?.what).toContain(report.tenantId);
  await expectNothingLeft();
  expect(secrets.length).toBeGreaterThan(2);
  for (const secret of secrets) expect(out + err).not.toContain(secret);

  const push = (await listPushes(stack.file)).at(-1);
  const sns = new SNSClient({
    region: stack.file.aws.region,
    endpoint: stack.file.aws.endpoints.sns,
    credentials: { accessKeyId: 'TEST', secretAccessKey: 'any' },
  });
  const endpoint = new GetEndpointAttributesCommand({ EndpointArn: push?.endpointArn ?? '' });
  await expect(sns.send(endpoint)).rejects.toThrow('Endpoint does not exist');
  sns.destroy();
  const [, clientId = ''] = /removed {2}client (\S+) of the user pool/.exec(err) ?? [];
  const { status } = await requestToken({ ...stack.file, clientId, clientSecret: secrets[0] ?? '' });
  expect(status).toBe(401);
});

/** A stage as `create-omi` makes it: nobody has stored push credentials. */
class WithoutCredentials extends Session {
  override async deployment(): Promise<Deployment> {
    return { ...(await super.deployment()), pushApplications: async () => await Promise.resolve([]) };
  }
}

test('every step passes in a stage without push credentials, with a browser as the phone', async () => {
  let out = '';
  const terminal = {
    out: (text: string) => void (out += text),
    err: () => undefined,
    environment: { OMI_STATE: stack.directory },
  };
  const session = new WithoutCredentials(terminal, { stage: 'dev', local: true, json: true });
  const pushes = (await listPushes(stack.file)).length;
  await runSmoke(session, { timeout: 900 });
  const report = reportOf(out);
  expect(report).toMatchObject({ ok: true, leftovers: [] });
  expect(stepOf(report, 'enrolment')?.detail).toMatch(/^web, device /);
  expect(stepOf(report, 'push')?.detail).toBe('pending, no push: the stage has no credentials');
  expect(await listPushes(stack.file)).toHaveLength(pushes);
  await expectNothingLeft();
});

test('a replay that cannot start is reported as the failed step, the others pass, and everything is removed', async () => {
  const fault: Fault = {
    service: 'sqs',
    operation: 'SendMessage',
    resource: 'omi-local-replays',
    fault: 'access-denied',
  };
  const { code, out, err } = await withFault(
    stack.file,
    fault,
    async () => await omiOn(stack)(['smoke', '--json']),
  );
  const report = reportOf(out);
  expect({ code, ok: report.ok }).toEqual({ code: 1, ok: false });
  expect(named(report, 'failed')).toEqual(['replay']);
  expect(named(report, 'skipped')).toEqual([]);
  expect(stepOf(report, 'replay')).toMatchObject({
    reason: expect.stringContaining('Denied') as unknown,
    hint: expect.stringContaining('operator') as unknown,
  });
  expect(err).toContain('The smoke test did not pass: failed: replay.');
  await expectNothingLeft();
});

test('steps that need a failed push are skipped, and Ctrl-C ends the rest and removes everything', async () => {
  const { code, out } = await withFault(
    stack.file,
    { service: 'sns', operation: 'Publish', fault: 'access-denied' },
    async () => await omiOn(stack)(['smoke', '--json'], { interruptAt: 'removal  ' }),
  );
  const report = reportOf(out);
  expect(code).toBe(1);
  expect(named(report, 'failed')).toEqual(['push']);
  expect(stepOf(report, 'push')?.reason).toBe('The delivery is failed, not sent');
  expect(named(report, 'skipped')).toEqual([
    ...['challenge', 'confirmation', 'evidence', 'ciba', 'own-events', 'replay'],
  ]);
  expect(stepOf(report, 'replay')?.reason).toBe('Interrupted.');
  await expectNothingLeft();
});

test('Ctrl-C before anything is created removes nothing and gives no hint to read a log', async () => {
  const { code, out, err } = await omiOn(stack)(['smoke'], { interruptAt: 'Testing' });
  expect(code).toBe(1);
  expect(out).toContain('Nothing is left behind.');
  expect(out).not.toContain('events of the tenant');
  expect(err).toContain('Interrupted.');
  for (const misleading of ['Removing', 'removed', 'Run "omi doctor"', 'log of'])
    expect(err).not.toContain(misleading);
  await expectNothingLeft();
});

test('the time limit ends the current step', async () => {
  const { code, out } = await withFault(
    stack.file,
    { service: 'kinesis', operation: 'DescribeStreamSummary', fault: 'slow', delayMs: 3_000 },
    async () => await omiOn(stack)(['smoke', '--json', '--timeout', '2']),
  );
  const report = reportOf(out);
  expect(code).toBe(1);
  expect(named(report, 'failed').length).toBe(1);
  expect(report.steps.find(({ status }) => status === 'failed')?.reason).toContain('--timeout');
  await expectNothingLeft();
});

test('Ctrl-C of the program itself leaves nothing behind', async () => {
  const child = spawn(process.execPath, ['bin/omi.mjs', 'smoke', '--local'], {
    env: { ...process.env, OMI_STATE: stack.directory, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
    if (/^ok {7}target /m.test(err) && !err.includes('Interrupted')) child.kill('SIGINT');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code).toBe(1);
  expect(err).toContain('Interrupted. Waiting for open calls …\n');
  expect(err).toContain('Removing what the run created …\n');
  expect(err).not.toContain('LEFT');
  await expectNothingLeft();
});

test('tokens of an own issuer come from a command', async () => {
  const [{ clientId, clientSecret }] = stack.file.tenants;
  const command = `curl -s -u ${clientId}:${clientSecret} -d grant_type=client_credentials --data-urlencode "scope=$OMI_SCOPE" ${stack.file.tokenUrl} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'`;
  const args = ['smoke', '--json', '--token-command', command, '--client-id'];
  const foreign = reportOf((await omiOn(stack)([...args, clientId])).out);
  expect(stepOf(foreign, 'token')).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('belongs to the tenant') as unknown,
  });
  await expectNothingLeft();
});
