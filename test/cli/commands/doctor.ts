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
import { CallbackStore } from '../../../core/callbacks/callback-store.ts';
import type { ReceiverKind } from '../../../core/callbacks/receiver.ts';
import { serverKeyIdOf } from '../../../core/devices/subscription.ts';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { dynamodbOf, placeOf } from './tables.ts';

const required = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('There is no such receiver');
  return value;
};

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

  test('finds nothing wrong with a healthy stack', async () => {
    const { ok, findings } = await jsonOn(stack)<Report>('doctor');
    expect(ok).toBe(true);
    const looked = new Set(findings.map(({ check }) => check));
    // Only if devices are enrolled.
    looked.delete('base URLs');
    // Only if a receiver has made a stream.
    looked.delete('signals');
    expect(looked).toEqual(
      new Set([
        'api',
        'openid',
        'keys',
        'app',
        'exports',
        'help desk',
        'demo bank',
        'tables',
        'queues',
        'push',
        'targets',
      ]),
    );
    const { out } = await omi(['doctor']);
    expect(out).not.toContain('FAILED');
  });

  test('finds work that needs a person, and names the next step', async () => {
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
        ...{ detail: '1 undeliverable messages', fix: expect.stringContaining('docs/operations/alarms.md') },
      },
    ]);
  });

  test('finds a missing queue and still checks the others', async () => {
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

  test('finds a push platform whose credentials are rejected', async () => {
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

  test('counts devices that subscribed for another key of web pushes: they get none until their app was opened', async () => {
    const { webPush } = (await (await fetch(`${stack.file.baseUrl}/omi/device/settings`)).json()) as {
      webPush: { applicationServerKey: string };
    };
    const keys = [serverKeyIdOf(webPush.applicationServerKey), 'another'].map((serverKeyId, index) => ({
      ...{ pk: 'tenant#doctor#user#pushed', sk: `device#${index}` },
      device: { subscription: { serverKeyId } },
    }));
    for (const Item of keys)
      await dynamodbOf(stack).send(new PutCommand({ TableName: localTables.devices, Item }));
    const { findings } = await jsonOn(stack)<Report>('doctor');
    for (const { pk, sk } of keys)
      await dynamodbOf(stack).send(new DeleteCommand({ TableName: localTables.devices, Key: { pk, sk } }));
    expect(findings.filter(({ check }) => check === 'web pushes')).toMatchObject([
      { ok: true, warning: true, detail: expect.stringMatching(/^1 of \d+ .* get no pushes$/) },
    ]);
  });

  test("warns of passkeys for another host than the app's, which no browser finds any more", async () => {
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
        detail:
          '1 of 2 passkeys that were looked at belong to old.example.com: their users cannot be verified',
      },
    ]);
    expect(found[0]?.fix).toContain('docs/operations/web-app.md');
    expect(code).toBe(0);
    expect(out).toMatch(/^WARNING +passkeys +localhost/m);
  });

  test('finds stopped callback receivers and warns of failing ones', async () => {
    const json = jsonOn(stack);
    const { tenantId } = await json<{ tenantId: string }>('tenant', 'create', '--name', 'Called back');
    const urls = ['--callback-url', 'http://127.0.0.1:1/', '--notification-url', 'http://127.0.0.1:1/'];
    const { clientId } = await json<{ clientId: string }>(
      ...['client', 'create', tenantId, '--name', 'website', '--scope', 'all', ...urls],
    );
    const store = new CallbackStore(dynamodbOf(stack), localTables.tenants);
    const of = async (kind: ReceiverKind) => await store.get(kind, clientId).then(required);
    await store.stopped('callback', await of('callback'), 'The receiver answered 410.', 1);
    await store.failed('ping', await of('ping'), { reason: 'The receiver answered 500.' }, 1);
    const broken = tenantKeys.clientCallback('broken');
    await dynamodbOf(stack).send(new PutCommand({ TableName: localTables.tenants, Item: broken }));
    const { out } = await omi(['--json', 'doctor']);
    await dynamodbOf(stack).send(new DeleteCommand({ TableName: localTables.tenants, Key: broken }));
    await json('client', 'delete', clientId, '--yes');
    const { findings } = JSON.parse(out) as Report;
    const found = findings.filter(({ check }) => check === 'callbacks');
    expect(found.toSorted((a, b) => a.detail.localeCompare(b.detail))).toEqual([
      expect.objectContaining({
        ...{ subject: `${clientId} notifications`, ok: true, warning: true },
        detail: 'is failing since 1970-01-01T00:00:00.001Z: The receiver answered 500.',
      }),
      expect.objectContaining({
        ...{ subject: `${clientId} callbacks`, ok: false },
        detail: 'is stopped since 1970-01-01T00:00:00.001Z: The receiver answered 410.',
        fix: `omi client test-callback ${clientId} --local`,
      }),
      expect.objectContaining({ subject: 'client#broken callback', ok: false }),
    ]);
  });
}
