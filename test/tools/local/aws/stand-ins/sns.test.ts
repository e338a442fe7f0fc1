import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreatePlatformApplicationCommand,
  CreatePlatformEndpointCommand,
  DeleteEndpointCommand,
  DeletePlatformApplicationCommand,
  GetEndpointAttributesCommand,
  GetPlatformApplicationAttributesCommand,
  ListPlatformApplicationsCommand,
  PublishCommand,
  type PublishCommandInput,
  SetEndpointAttributesCommand,
  SetPlatformApplicationAttributesCommand,
  SNSClient,
} from '@aws-sdk/client-sns';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createSns, type Sns } from '../../../../../tools/local/aws/stand-ins/sns/backend.ts';
import * as services from '../../../../../tools/local/aws/protocols/services.ts';
import { type Alone, clientOf, startAlone } from '../clients.ts';

let sns: Sns;
let endpoint: Alone;
let client: SNSClient;
let applicationArn: string;

beforeEach(async () => {
  sns = createSns();
  endpoint = await startAlone(services.sns, sns.backend);
  client = new SNSClient(clientOf(endpoint.url));
  applicationArn = await createApplication('GCM');
});
afterEach(async () => await endpoint.close());

async function createApplication(Platform: string): Promise<string> {
  const Attributes = { PlatformCredential: 'secret', PlatformPrincipal: 'secret' };
  const created = await client.send(
    new CreatePlatformApplicationCommand({ Name: 'omi', Platform, Attributes }),
  );
  return String(created.PlatformApplicationArn);
}

async function createEndpoint(
  Token: string,
  more: object = {},
  PlatformApplicationArn = applicationArn,
): Promise<string> {
  const created = await client.send(
    new CreatePlatformEndpointCommand({ PlatformApplicationArn, Token, ...more }),
  );
  return String(created.EndpointArn);
}

const attributesOf = async (EndpointArn: string) =>
  (await client.send(new GetEndpointAttributesCommand({ EndpointArn }))).Attributes;

describe('a platform application', () => {
  test('keeps its ARN when it is created again, and never returns its secrets', async () => {
    expect(applicationArn).toBe('arn:aws:sns:eu-central-1:000000000000:app/GCM/omi');
    expect(await createApplication('GCM')).toBe(applicationArn);
    const update = {
      PlatformApplicationArn: applicationArn,
      Attributes: { SuccessFeedbackSampleRate: '10' },
    };
    await client.send(new SetPlatformApplicationAttributesCommand(update));
    const asked = new GetPlatformApplicationAttributesCommand({ PlatformApplicationArn: applicationArn });
    expect((await client.send(asked)).Attributes).toEqual({
      Enabled: 'true',
      SuccessFeedbackSampleRate: '10',
    });
  });

  test('is deleted with its endpoints', async () => {
    const endpoint = await createEndpoint('token');
    await client.send(new DeletePlatformApplicationCommand({ PlatformApplicationArn: applicationArn }));
    const { PlatformApplications } = await client.send(new ListPlatformApplicationsCommand({}));
    expect(PlatformApplications).toEqual([]);
    await expect(attributesOf(endpoint)).rejects.toMatchObject({ name: 'NotFoundException' });
    await expect(createEndpoint('token')).rejects.toMatchObject({ name: 'NotFoundException' });
  });
});

describe('an endpoint', () => {
  test('is the same for the same token and attributes', async () => {
    const endpoint = await createEndpoint('tökén <&>', { CustomUserData: 'device' });
    expect(endpoint).toMatch(/^arn:aws:sns:eu-central-1:000000000000:endpoint\/GCM\/omi\/[0-9a-f-]{36}$/);
    expect(await createEndpoint('tökén <&>', { CustomUserData: 'device' })).toBe(endpoint);
    expect(await attributesOf(endpoint)).toEqual({
      Token: 'tökén <&>',
      Enabled: 'true',
      CustomUserData: 'device',
    });
  });

  test.each([{ CustomUserData: 'other' }, { Attributes: { Enabled: 'false' } }])(
    'is rejected with its ARN for the same token with other attributes: %p',
    async (other) => {
      const endpoint = await createEndpoint('token');
      await expect(createEndpoint('token', other)).rejects.toMatchObject({
        name: 'InvalidParameterException',
        message: `Invalid parameter: Token Reason: Endpoint ${endpoint} already exists with the same Token, but different attributes.`,
      });
    },
  );

  test('stays disabled when it is created again, and publishes nothing until it is enabled', async () => {
    const TargetArn = await createEndpoint('token');
    const enable = async (Enabled: string) =>
      await client.send(
        new SetEndpointAttributesCommand({ EndpointArn: TargetArn, Attributes: { Enabled } }),
      );
    await enable('false');
    expect(await createEndpoint('token')).toBe(TargetArn);
    const send = async () => await client.send(new PublishCommand({ TargetArn, Message: 'hello' }));
    await expect(send()).rejects.toMatchObject({ name: 'EndpointDisabledException' });
    expect(sns.pushes.list()).toEqual([]);
    await enable('true');
    await send();
    expect(sns.pushes.list()).toHaveLength(1);
  });

  test('accepts a new token, unless another endpoint has it', async () => {
    const endpoint = await createEndpoint('old');
    const other = await createEndpoint('taken');
    const take = async (Token: string) =>
      await client.send(new SetEndpointAttributesCommand({ EndpointArn: endpoint, Attributes: { Token } }));
    await take('new');
    expect(await attributesOf(endpoint)).toMatchObject({ Token: 'new' });
    expect(await createEndpoint('old')).not.toBe(endpoint);
    await expect(take('taken')).rejects.toThrow(other);
  });
});

describe('a publish', () => {
  let TargetArn: string;
  beforeEach(async () => {
    TargetArn = await createEndpoint('token');
  });

  const publish = async (message: object | string, more: Partial<PublishCommandInput> = {}) => {
    const Message = typeof message === 'string' ? message : JSON.stringify(message);
    return await client.send(new PublishCommand({ TargetArn, Message, MessageStructure: 'json', ...more }));
  };
  const attribute = (StringValue: string) => ({ DataType: 'String', StringValue });
  const fcm = (message: object): string => JSON.stringify({ fcmV1Message: { message } });

  test('reaches FCM as the content of its fcmV1Message', async () => {
    const { MessageId } = await publish({
      GCM: fcm({ notification: { body: 'Grüße 👋' }, data: { a: 'b' } }),
    });
    expect(MessageId).toMatch(/^[0-9a-f-]{36}$/);
    expect(sns.pushes.list()).toEqual([
      {
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        platform: 'fcm',
        token: 'token',
        endpointArn: TargetArn,
        payload: { message: { notification: { body: 'Grüße 👋' }, data: { a: 'b' } } },
        headers: {},
      },
    ]);
  });

  test('passes the lifetime of its attribute to FCM', async () => {
    const MessageAttributes = { 'AWS.SNS.MOBILE.FCM.TTL': attribute('120') };
    await publish({ GCM: fcm({ android: { priority: 'high', ttl: '5s' } }) }, { MessageAttributes });
    expect(sns.pushes.list()[0]?.payload).toEqual({
      message: { android: { priority: 'high', ttl: '120s' } },
    });
  });

  test.each([
    ['APNS', 'apns'],
    ['APNS_SANDBOX', 'apns-sandbox'],
  ])('reaches %s unchanged, with the headers from its attributes', async (platform, name) => {
    const target = await createEndpoint('cafe', {}, await createApplication(platform));
    const MessageAttributes = {
      'AWS.SNS.MOBILE.APNS.PUSH_TYPE': attribute('alert'),
      'AWS.SNS.MOBILE.APNS.PRIORITY': attribute('10'),
      [`AWS.SNS.MOBILE.${platform}.TTL`]: attribute('0'),
    };
    const payload = { aps: { alert: 'hello' }, challengeId: 'c' };
    await publish({ [platform]: JSON.stringify(payload) }, { TargetArn: target, MessageAttributes });
    expect(sns.pushes.list()).toMatchObject([
      {
        platform: name,
        payload,
        headers: { 'apns-push-type': 'alert', 'apns-priority': '10', 'apns-expiration': '0' },
      },
    ]);
  });

  test('uses the default without a payload for the platform', async () => {
    await publish({ default: 'hello', APNS: '{}' });
    expect(sns.pushes.list()[0]?.payload).toEqual({ message: { data: { default: 'hello' } } });
  });

  test.each([
    ['no payload and no default', { APNS: '{}' }, "JSON must contain an entry for 'default' or 'GCM'"],
    [
      'a payload that is not a string',
      { GCM: { fcmV1Message: {} } },
      "JSON must contain an entry for 'default' or 'GCM'",
    ],
    ['a payload that is not JSON', { GCM: 'hello' }, 'Notification is malformed'],
    ['no message inside', { GCM: JSON.stringify({ fcmV1Message: {} }) }, 'Notification is malformed'],
    ['data that is no string', { GCM: fcm({ data: { a: 1 } }) }, 'Notification is malformed'],
    ['a form of over 4 KB', { GCM: fcm({ data: { a: 'x'.repeat(4_096) } }) }, 'Notification is too long'],
    ['no JSON at all', 'hello', 'JSON message body failed to parse'],
  ])('is rejected with %s', async (_name, message, reason) => {
    await expect(publish(message)).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: expect.stringContaining(reason) as unknown,
    });
    expect(sns.pushes.list()).toEqual([]);
  });

  test('is rejected with an attribute above U+FFFF', async () => {
    const MessageAttributes = { title: attribute('Hello 👋') };
    await expect(publish({ default: 'hello' }, { MessageAttributes })).rejects.toMatchObject({
      name: 'InvalidParameterValueException',
    });
  });

  test('is rejected with a lifetime over four weeks', async () => {
    const MessageAttributes = { 'AWS.SNS.MOBILE.FCM.TTL': attribute('2419201') };
    await expect(publish({ default: 'hello' }, { MessageAttributes })).rejects.toThrow('Invalid TTL');
  });

  test('needs an existing endpoint and an enabled application', async () => {
    await expect(publish({ default: 'x' }, { TargetArn: `${TargetArn}0` })).rejects.toMatchObject({
      name: 'NotFoundException',
      message: 'Endpoint does not exist',
    });
    const update = { PlatformApplicationArn: applicationArn, Attributes: { Enabled: 'false' } };
    await client.send(new SetPlatformApplicationAttributesCommand(update));
    await expect(publish({ default: 'x' })).rejects.toMatchObject({
      name: 'PlatformApplicationDisabledException',
    });
  });
});

test('confirmed changes survive a killed process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'omi-sns-'));
  const file = join(folder, 'sns.json');
  const kept = await startAlone(services.sns, createSns(file).backend);
  const keeping = new SNSClient(clientOf(kept.url));
  try {
    const created = new CreatePlatformApplicationCommand({ Name: 'omi', Platform: 'GCM', Attributes: {} });
    const { PlatformApplicationArn } = await keeping.send(created);
    for (const Token of ['token-1', 'token-2', 'token-3']) {
      const enrolled = new CreatePlatformEndpointCommand({ PlatformApplicationArn, Token });
      const { EndpointArn } = await keeping.send(enrolled);
      expect(await readFile(file, 'utf8')).toContain(Token);
      await keeping.send(new DeleteEndpointCommand({ EndpointArn }));
      expect(await readFile(file, 'utf8')).not.toContain(Token);
    }
  } finally {
    keeping.destroy();
    await kept.close();
    await rm(folder, { recursive: true, force: true });
  }
});
