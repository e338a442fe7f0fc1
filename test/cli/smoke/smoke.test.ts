/** `omi smoke` against a local stack: all of it, and what it says and leaves when something is broken. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { GetEndpointAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { beforeEach, expect, jest, test } from '@jest/globals';
import type { Report } from '../../../cli/smoke/report.ts';
import { requestToken } from '../../../client/access-token.ts';
import { listPushes } from '../../../tools/local/client/local-stack.ts';
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
