/** A deployment that CloudFormation made, with the local stack's tables and queues behind it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SetPlatformApplicationAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { localQueues } from '../../../local/resources/queues.ts';
import { localTables } from '../../../local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { type DeployedStack, serveControlPlane } from '../control-plane.ts';
import type { Answer } from '../omi.ts';
import { placeOf } from './tables.ts';

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const arnOf = (service: string, resource: string): string =>
  `arn:aws:${service}:eu-central-1:000000000000:${resource}`;

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

const alarms = [
  { AlarmName: 'omi-staging-export-late', StateValue: 'OK' },
  {
    AlarmName: 'omi-staging-push-fails-fcm',
    StateValue: 'ALARM',
    StateUpdatedTimestamp: 1_772_352_000,
    AlarmDescription: 'Users get no pushes. What to do: docs/operations.md#pushes-fail',
  },
];

const applicationsOf = (...platforms: string[]): string[] =>
  platforms.map((platform) => arnOf('sns', `app/GCM/omi-local-${platform}`));

async function setFeedbackRole(stack: TestStack, platform: string, role: string): Promise<void> {
  const [PlatformApplicationArn] = applicationsOf(platform);
  const Attributes = { FailureFeedbackRoleArn: role };
  const sns = new SNSClient(placeOf(stack, 'sns'));
  await sns.send(new SetPlatformApplicationAttributesCommand({ PlatformApplicationArn, Attributes }));
  sns.destroy();
}

async function outputsOf(stack: TestStack): Promise<Record<string, string>> {
  const sqs = new SQSClient(placeOf(stack, 'sqs'));
  const queues = Object.entries(localQueues).map(async ([name, QueueName]): Promise<[string, string]> => {
    const { QueueUrl = '' } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    return [`${titled(name)}Queue`, QueueUrl];
  });
  return {
    BaseUrl: stack.file.baseUrl,
    TokenUrl: stack.file.tokenUrl,
    UserPoolId: 'eu-central-1_pool',
    ...Object.fromEntries(
      Object.entries(localTables).map(([name, table]) => [`${titled(name)}Table`, table]),
    ),
    ...Object.fromEntries(await Promise.all(queues)),
  };
}

export function cloud(stack: TestStack): void {
  let served: Awaited<ReturnType<typeof serveControlPlane>>;
  let deployed: DeployedStack;

  beforeAll(async () => {
    const [deletedAlarms, applications] = [['omi-staging-api-5xx'], applicationsOf('fcm', 'gone')];
    const outputs = await outputsOf(stack);
    deployed = { name: 'omi-staging', outputs, mappings, alarms, deletedAlarms, applications };
    served = await serveControlPlane(deployed);
    await setFeedbackRole(stack, 'fcm', 'arn:aws:iam::000000000000:role/feedback');
  });
  afterAll(async () => await served.close());

  /** As an operator calls it: a process of its own, with AWS where the environment says. */
  const omi = async (...args: string[]): Promise<Answer> => {
    const env = { ...process.env, NODE_ENV: undefined, ...environmentOf(stack, served.url) };
    const command = [...['bin/omi.mjs', '--stage', 'staging', '--region', 'eu-central-1', '--json'], ...args];
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { env });
      return { code: 0, out: stdout, err: stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, out: stdout, err: stderr };
    }
  };

  test('is found by its stage: its tables are those of the outputs', async () => {
    const { code, out } = await omi('tenant', 'show', '--tenant', stack.file.tenants[0].tenantId);
    expect({ code, tenant: JSON.parse(out) as unknown }).toMatchObject({ code: 0, tenant: { name: 'Demo' } });
  });

  test('that does not exist is said to be none', async () => {
    const { code, err } = await omi('--stage', 'production', 'tenant', 'list');
    expect(code).toBe(1);
    expect(err).toContain('There is no stack omi-production in eu-central-1');
  });

  test('that is older than the command is to be deployed', async () => {
    const whole = deployed.outputs;
    deployed.outputs = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== 'TenantsTable'));
    const { code, err } = await omi('tenant', 'list');
    deployed.outputs = whole;
    expect(code).toBe(1);
    expect(err).toContain('no output TenantsTable');
  });

  test('has a user pool, whose clients have scopes with its prefix', async () => {
    const { tenantId } = stack.file.tenants[0];
    const create = ['client', 'create', '--tenant', tenantId, '--name', 'from the cloud', '--scope', 'all'];
    const { code, out } = await omi(...create);
    expect({ code, client: JSON.parse(out) as unknown }).toMatchObject({ code: 0, client: { tenantId } });
  });

  test('must log what its push providers refuse', async () => {
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

  test('is examined whole: event sources and alarms, too', async () => {
    const { code, out } = await omi('doctor');
    expect(code).toBe(1);
    const { findings } = JSON.parse(out) as { findings: { check: string; ok: boolean; subject: string }[] };
    const sources = findings.filter(({ check }) => check === 'event sources');
    expect(sources).toMatchObject([
      { subject: 'events to exporter', ok: true },
      { subject: 'events to scheduler', ok: false, detail: 'PROBLEM: Function call failed' },
      { subject: 'parking.fifo to redeliverer', ok: false, detail: 'is Disabled' },
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

function environmentOf(stack: TestStack, controlPlane: string): NodeJS.ProcessEnv {
  const { endpoints } = stack.file.aws as { endpoints: Record<string, string> };
  return {
    AWS_ACCESS_KEY_ID: 'OPERATOR',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_CLOUDFORMATION: controlPlane,
    AWS_ENDPOINT_URL_LAMBDA: controlPlane,
    AWS_ENDPOINT_URL_CLOUDWATCH: controlPlane,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints['dynamodb'],
    AWS_ENDPOINT_URL_SQS: endpoints['sqs'],
    AWS_ENDPOINT_URL_SNS: endpoints['sns'],
    AWS_ENDPOINT_URL_STS: endpoints['sts'],
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: stack.file.issuer,
  };
}
