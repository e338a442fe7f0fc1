import {
  CreatePlatformApplicationCommand,
  DeletePlatformApplicationCommand,
  SetPlatformApplicationAttributesCommand,
  SNSClient,
} from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueUrlCommand,
  PurgeQueueCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { type Fault, withFault } from '../../../local/client/local-stack.ts';
import { localTables } from '../../../local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { dynamodbOf, placeOf } from './tables.ts';

type Finding = {
  check: string;
  subject: string;
  ok: boolean;
  warning?: true;
  detail: string;
  fix?: string;
};
type Report = { ok: boolean; findings: Finding[] };

export function doctor(stack: TestStack): void {
  const omi = omiOn(stack);
  const wrong = async (): Promise<{ code: number; findings: Finding[] }> => {
    const { code, out } = await omi(['--json', 'doctor']);
    return { code, findings: (JSON.parse(out) as Report).findings.filter(({ ok }) => !ok) };
  };

  test('finds nothing wrong with a stack that is well', async () => {
    const { ok, findings } = await jsonOn(stack)<Report>('doctor');
    expect(ok).toBe(true);
    const looked = new Set(findings.map(({ check }) => check));
    expect(looked).toEqual(new Set(['api', 'app', 'demo bank', 'tables', 'queues', 'push', 'targets']));
    const { out } = await omi(['doctor']);
    expect(out).not.toContain('FAILED');
  });

  test('finds what is waiting for people, and says where to go on', async () => {
    const sqs = new SQSClient(placeOf(stack, 'sqs'));
    const QueueName = 'omi-local-expiry-dead-letters';
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'given up' }));
    const { code, findings } = await wrong();
    await sqs.send(new PurgeQueueCommand({ QueueUrl }));
    expect(code).toBe(1);
    expect(findings).toEqual([
      {
        ...{ check: 'queues', subject: 'expiry, dead letters', ok: false },
        ...{ detail: '1 undeliverable messages', fix: expect.stringContaining('docs/operations.md') },
      },
    ]);
  });

  test('finds a queue that is gone, and looks at the others all the same', async () => {
    const sqs = new SQSClient(placeOf(stack, 'sqs'));
    const QueueName = 'omi-local-replays-dead-letters';
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    await sqs.send(new DeleteQueueCommand({ QueueUrl }));
    const { code, findings } = await wrong();
    await sqs.send(new CreateQueueCommand({ QueueName }));
    expect(code).toBe(1);
    expect(findings).toMatchObject([{ check: 'queues', subject: 'replays' }]);
    const { findings: all } = await jsonOn(stack)<Report>('doctor');
    expect(all.filter(({ check }) => check === 'queues').length).toBeGreaterThan(10);
  });

  test('finds a push platform whose credentials are refused', async () => {
    const sns = new SNSClient(placeOf(stack, 'sns'));
    const PlatformApplicationArn = 'arn:aws:sns:eu-central-1:000000000000:app/APNS/omi-local-apns';
    const enable = async (Enabled: string) =>
      await sns.send(
        new SetPlatformApplicationAttributesCommand({ PlatformApplicationArn, Attributes: { Enabled } }),
      );
    await enable('false');
    const { code, findings } = await wrong();
    await enable('true');
    expect(code).toBe(1);
    expect(findings).toMatchObject([{ check: 'push', subject: 'APNS' }]);
  });

  test('finds a push platform that is gone, and looks at the others all the same', async () => {
    const sns = new SNSClient(placeOf(stack, 'sns'));
    const PlatformApplicationArn =
      'arn:aws:sns:eu-central-1:000000000000:app/APNS_SANDBOX/omi-local-apns-sandbox';
    await sns.send(new DeletePlatformApplicationCommand({ PlatformApplicationArn }));
    const { code, findings } = await wrong();
    await sns.send(
      new CreatePlatformApplicationCommand({
        ...{ Name: 'omi-local-apns-sandbox', Platform: 'APNS_SANDBOX' },
        Attributes: { PlatformCredential: 'local' },
      }),
    );
    expect(code).toBe(1);
    expect(findings).toMatchObject([
      { check: 'push', subject: 'APNS_SANDBOX', fix: expect.stringContaining('revision') },
    ]);
    const { findings: all } = await jsonOn(stack)<Report>('doctor');
    expect(all.filter(({ check }) => check === 'push')).toHaveLength(3);
  });

  test('tells a table that cannot be looked at from the others, and does not call it deleted', async () => {
    const busy: Fault = {
      ...{ service: 'dynamodb', operation: 'DescribeTable', resource: localTables.events },
      fault: 'throttle',
    };
    const { findings } = await withFault(stack.file, busy, wrong);
    expect(findings).toMatchObject([
      {
        ...{ check: 'tables', subject: localTables.events },
        detail: expect.stringContaining('could not be checked: '),
        fix: expect.stringContaining('again in a minute'),
      },
    ]);
  });

  test('finds a table that is gone', async () => {
    const gone: Fault = {
      ...{ service: 'dynamodb', operation: 'DescribeTable', resource: localTables.enrolments },
      fault: 'not-found',
    };
    const { findings } = await withFault(stack.file, gone, wrong);
    expect(findings).toMatchObject([
      { check: 'tables', subject: localTables.enrolments, detail: expect.stringContaining('does not exist') },
    ]);
  });

  test('says one line of each, whatever AWS says', async () => {
    const closed: Fault = { service: 'sqs', operation: 'GetQueueAttributes', fault: 'access-denied' };
    const { out } = await withFault(stack.file, closed, async () => await omi(['doctor']));
    const table = out.slice(0, out.indexOf('\n\n')).split('\n');
    expect(table.filter((line) => !/^(?:ok|FAILED|) {2,}\S/.test(line))).toEqual([]);
    expect(out.split('Use those of an operator')).toHaveLength(2);
    expect(out).not.toContain('was deleted');
  });

  test('finds a target that somebody must act on, with the command that does', async () => {
    const target = [stack.file.tenants[0].tenantId, 'log'];
    await jsonOn(stack)('target', 'pause', ...target);
    const { code, findings } = await wrong();
    await jsonOn(stack)('target', 'resume', ...target);
    expect(code).toBe(1);
    expect(findings).toMatchObject([
      { check: 'targets', fix: `omi target resume ${target.join(' ')} --local` },
    ]);
  });

  test("warns of passkeys of another host than the app's, which no browser finds any more", async () => {
    const put = async (user: string, rpId: string) => {
      const key = { pk: `tenant#doctor#user#${user}`, sk: 'device#1' };
      const Item = { ...key, device: { passkey: { rpId } } };
      await dynamodbOf(stack).send(new PutCommand({ TableName: localTables.devices, Item }));
      return key;
    };
    const keys = [await put('today', 'localhost')];
    const passkeysOf = async () => {
      const { findings } = await jsonOn(stack)<Report>('doctor');
      return findings.filter(({ check }) => check === 'passkeys');
    };
    expect(await passkeysOf()).toMatchObject([{ subject: 'localhost', ok: true }]);
    keys.push(await put('earlier', 'old.example.com'));
    const { code, out } = await omi(['doctor']);
    const found = await passkeysOf();
    for (const Key of keys)
      await dynamodbOf(stack).send(new DeleteCommand({ TableName: localTables.devices, Key }));
    expect(found).toMatchObject([
      {
        ok: true,
        warning: true,
        detail: '1 of 2 sampled passkeys belong to old.example.com: their users cannot be verified',
      },
    ]);
    expect(found[0]?.fix).toContain('docs/operations.md');
    expect(code).toBe(0);
    expect(out).toMatch(/^WARNING +passkeys +localhost/m);
  });

  test('finds an item of a target that is malformed', async () => {
    const key = { pk: 'tenant#broken', sk: 'target#log' };
    await dynamodbOf(stack).send(new PutCommand({ TableName: localTables.tenants, Item: key }));
    const { findings } = await wrong();
    await dynamodbOf(stack).send(new DeleteCommand({ TableName: localTables.tenants, Key: key }));
    expect(findings).toMatchObject([{ check: 'targets', subject: 'tenant#broken target#log' }]);
  });
}
