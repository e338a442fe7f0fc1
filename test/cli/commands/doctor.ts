import { SetPlatformApplicationAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
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
import { localTables } from '../../../local/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { dynamodbOf, placeOf } from './tables.ts';

type Finding = { check: string; subject: string; ok: boolean; detail: string; mend?: string };
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
    expect(looked).toEqual(new Set(['api', 'tables', 'queues', 'push', 'targets']));
    const { out } = await omi(['doctor']);
    expect(out).not.toContain('WRONG');
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
        ...{ detail: '1 messages were given up', mend: expect.stringContaining('docs/operations.md') },
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

  test('finds a target that somebody must act on, with the command that does', async () => {
    const target = ['--tenant', stack.file.tenants[0].tenantId, '--category', 'log'];
    await jsonOn(stack)('target', 'pause', ...target);
    const { code, findings } = await wrong();
    await jsonOn(stack)('target', 'resume', ...target);
    expect(code).toBe(1);
    expect(findings).toMatchObject([{ check: 'targets', mend: `omi target resume ${target.join(' ')}` }]);
  });

  test('finds an item of a target that makes no sense', async () => {
    const key = { pk: 'tenant#broken', sk: 'target#log' };
    await dynamodbOf(stack).send(new PutCommand({ TableName: localTables.tenants, Item: key }));
    const { findings } = await wrong();
    await dynamodbOf(stack).send(new DeleteCommand({ TableName: localTables.tenants, Key: key }));
    expect(findings).toMatchObject([{ check: 'targets', subject: 'tenant#broken target#log' }]);
  });
}
