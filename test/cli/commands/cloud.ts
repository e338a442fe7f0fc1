/** A deployment that CloudFormation made, with the local stack's tables and queues behind it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TenantStore } from '../../../core/tenants/tenant-store.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { type DeployedStack, serveControlPlane } from '../control-plane.ts';
import { applicationsOf, arnOf, omiOfStage, outputsOf, setFeedbackRole } from '../deployed-stage.ts';
import { newJwk } from '../new-jwk.ts';
import type { Answer } from '../omi.ts';
import { dynamodbOf } from './tables.ts';

const mappings = {
  good: {
    State: 'Enabled',
    LastProcessingResult: 'OK',
    FunctionArn: arnOf('lambda', 'function:exporter:live'),
    EventSourceArn: arnOf('dynamodb', 'table/events/stream/2026'),
  },
  failing: {
    State: 'Enabled',
    LastProcessingResult: 'PROBLEM: Function call failed',
    FunctionArn: arnOf('lambda', 'function:scheduler:live'),
    EventSourceArn: arnOf('dynamodb', 'table/events/stream/2026'),
  },
  off: {
    State: 'Disabled',
    FunctionArn: arnOf('lambda', 'function:redeliverer:live'),
    EventSourceArn: arnOf('sqs', 'parking.fifo'),
  },
};

const rules = { 'omi-staging-verify': 'ENABLED', 'omi-staging-watch': 'DISABLED' } as const;

const alarms = [
  { AlarmName: 'omi-staging-export-late', StateValue: 'OK' },
  {
    AlarmName: 'omi-staging-push-fails-fcm',
    StateValue: 'ALARM',
    StateUpdatedTimestamp: 1_772_352_000,
    AlarmDescription: 'Users get no pushes. What to do: docs/operations/alarms.md#pushes-fail',
  },
];

export function cloud(stack: TestStack): void {
  let served: Awaited<ReturnType<typeof serveControlPlane>>;
  let deployed: DeployedStack;

  beforeAll(async () => {
    const [deletedAlarms, applications] = [['omi-staging-api-5xx'], applicationsOf('fcm', 'gone')];
    const outputs = await outputsOf(stack);
    deployed = {
      ...{ name: 'omi-staging', outputs, mappings, rules, concurrency: 10 },
      ...{ alarms, deletedAlarms, applications },
    };
    served = await serveControlPlane(deployed);
    await setFeedbackRole(stack, 'fcm', 'arn:aws:iam::000000000000:role/feedback');
  });
  afterAll(async () => await served.close());

  const omi = async (...args: string[]): Promise<Answer> =>
    await omiOfStage(
      stack,
      ['--stage', 'staging', '--region', 'eu-central-1', '--json', ...args],
      served.url,
    );

  test('is found by its stage, and its tables by the outputs', async () => {
    const { code, out } = await omi('tenant', 'show', '--tenant', stack.file.tenants[0].tenantId);
    expect({ code, tenant: JSON.parse(out) as unknown }).toMatchObject({ code: 0, tenant: { name: 'Demo' } });
  });

  test('a call in the cloud is found by a query for the logs of its stage', async () => {
    const { out } = await omi('trace', 'bVd2Ck5xliAEPaw=');
    expect(JSON.parse(out)).toMatchObject({
      ...{ region: 'eu-central-1', logGroupPrefix: 'omi-staging-' },
      query: expect.stringContaining('filter traceId = "bVd2Ck5xliAEPaw="') as unknown,
    });
  });

  test('must be deployed again if it is older than the command', async () => {
    const whole = deployed.outputs;
    deployed.outputs = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== 'TenantsTable'));
    const { code, err } = await omi('tenant', 'list');
    deployed.outputs = whole;
    expect(code).toBe(1);
    expect(err).toContain('no output TenantsTable');
  });

  test('has clients with keys if it has no user pool, and its own issuer may know them too', async () => {
    const { UserPoolId, ...others } = deployed.outputs;
    const jwks = join(stack.directory, 'foreign-keys.json');
    await writeFile(jwks, JSON.stringify({ keys: [newJwk('EC', { kid: 'one' })] }));
    const { tenantId } = stack.file.tenants[0];
    const register = [
      'client',
      'create',
      tenantId,
      '--client',
      'foreign',
      '--name',
      'foreign',
      '--scope',
      'all',
    ];
    deployed.outputs = others;
    const created = await omi(...register);
    const set = await omi('client', 'set', 'foreign', '--jwks', jwks);
    const shown = await omi('client', 'show', 'foreign');
    const assigned = await new TenantStore(dynamodbOf(stack), localTables.tenants).findByClient('foreign');
    deployed.outputs = { ...others, ...(UserPoolId !== undefined && { UserPoolId }) };
    await omi('client', 'delete', 'foreign', '--yes');
    expect(created.code).toBe(0);
    expect(JSON.parse(created.out)).not.toHaveProperty('clientSecret');
    expect({ code: set.code, client: JSON.parse(set.out) as unknown }).toMatchObject({
      code: 0,
      client: { clientId: 'foreign', keys: [{ kid: 'one' }] },
    });
    expect(JSON.parse(shown.out)).toMatchObject({ authentication: 'private_key_jwt' });
    expect(assigned).toMatchObject({ hasKeys: true });
    expect(set.err).toContain('no longer accepts its tokens of your own issuer');
  });

  test('must log what its push providers reject', async () => {
    const pushFindings = async () => {
      const { findings } = JSON.parse((await omi('doctor')).out) as { findings: { check: string }[] };
      return findings.filter(({ check }) => check === 'push');
    };
    await setFeedbackRole(stack, 'fcm', '');
    const unlogged = await pushFindings();
    await setFeedbackRole(stack, 'fcm', 'arn:aws:iam::000000000000:role/feedback');
    expect(unlogged).toMatchObject([
      {
        ...{ subject: 'GCM', ok: false, detail: 'does not log failed pushes' },
        fix: expect.stringContaining('"revision"'),
      },
      { subject: 'GCM', ok: false, detail: expect.stringContaining('does not exist') },
    ]);
    expect(await pushFindings()).toMatchObject([{ ok: true, detail: 'is enabled' }, { ok: false }]);
  });

  test('is checked completely, including event sources, schedules, concurrency and alarms', async () => {
    const { code, out } = await omi('doctor');
    expect(code).toBe(1);
    const { findings } = JSON.parse(out) as { findings: { check: string; ok: boolean; subject: string }[] };
    const sources = findings.filter(({ check }) => check === 'event sources');
    expect(sources).toMatchObject([
      { subject: 'events to exporter', ok: true },
      { subject: 'events to scheduler', ok: false, detail: 'PROBLEM: Function call failed' },
      { subject: 'parking.fifo to redeliverer', ok: false, detail: 'is Disabled' },
    ]);
    expect(findings.filter(({ check }) => check === 'schedules')).toMatchObject([
      { subject: 'omi-staging-verify', ok: true, detail: 'rate(1 hour)' },
      { subject: 'omi-staging-watch', ok: false, fix: 'aws events enable-rule --name omi-staging-watch' },
    ]);
    expect(findings.filter(({ check }) => check === 'lambda')).toMatchObject([
      { subject: 'concurrent executions', ok: true, warning: true, detail: '10, 1000 are needed' },
    ]);
    expect(findings.filter(({ check }) => check === 'push')).toMatchObject([
      { subject: 'GCM', ok: true },
      { subject: 'GCM', ok: false, detail: expect.stringContaining('does not exist') },
    ]);
    expect(findings.filter(({ check }) => check === 'alarms')).toMatchObject([
      { subject: 'omi-staging-api-5xx', ok: false, detail: expect.stringContaining('does not exist') },
      { subject: 'omi-staging-push-fails-fcm', ok: false, fix: expect.stringContaining('#pushes-fail') },
    ]);
  });
}
