import type { LookupAddress, LookupOptions } from 'node:dns';
import { Agent } from 'node:http';
import type { SNSClient } from '@aws-sdk/client-sns';
import type { NodeHttpHandler } from '@smithy/node-http-handler';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EndpointClient } from '../../../../core/devices/push/endpoint-client.ts';
import { PushClient } from '../../../../core/devices/push/push-client.ts';
import { snsClient } from '../../../../core/aws/sns-client.ts';
import { type BreakingProxy, startBreakingProxy } from '../../../support/breaking-proxy.ts';
import { type LocalSns, startLocalSns } from '../../../support/local-sns.ts';

const content = {
  challengeId: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
  expiresAt: '2026-01-01T00:02:00.000Z',
  title: 'Bank',
  alert: 'Pay 5 €?',
  lifetimeSeconds: 120,
};

let sns: LocalSns;
let proxy: BreakingProxy;
let client: SNSClient;
let push: PushClient;
let endpointArn: string;
let token = 0;

beforeAll(async () => {
  sns = await startLocalSns();
  proxy = await startBreakingProxy(sns.url);
});

beforeEach(async () => {
  process.env['AWS_ENDPOINT_URL_SNS'] = proxy.url;
  client = snsClient();
  push = new PushClient(client, sns.applications);
  token += 1;
  // Leaves a connection open, as the call before a freeze does.
  endpointArn = await push.enableEndpoint('fcm', `token-${token}`);
});

afterAll(async () => {
  await proxy.close();
  await sns.close();
});

const publish = async () => await push.publish(endpointArn, 'fcm', content);
const pushes = () => sns.pushes.list().filter((push) => push.endpointArn === endpointArn);

describe('a connection that was closed while the Lambda was frozen', () => {
  test.each([1, 2])('is replaced by another connection to send the push (%i times)', async (times) => {
    const before = proxy.broken();
    proxy.breakNext(...Array.from({ length: times }, () => 'request' as const));
    expect(await publish()).toEqual({ delivery: 'sent' });
    expect(proxy.broken() - before).toBe(times);
    expect(pushes()).toHaveLength(1);
  });

  test('fails the push after three attempts', async () => {
    const before = proxy.broken();
    proxy.breakNext('request', 'request', 'request');
    expect(await publish()).toMatchObject({ delivery: 'failed' });
    expect(proxy.broken() - before).toBe(3);
    expect(pushes()).toEqual([]);
  });

  test('does not fail calls about endpoints', async () => {
    proxy.breakNext('request');
    expect(await push.enableEndpoint('fcm', `token-${token}`)).toBe(endpointArn);
    proxy.breakNext('request');
    await new EndpointClient(client).deleteEndpoint(endpointArn);
    expect(await publish()).toEqual({ delivery: 'gone' });
  });
});

test.each(['fcm', 'apns', 'apns-sandbox'] as const)(
  '%s: a push whose acceptance was lost is sent again, and replaces itself on the device',
  async (platform) => {
    endpointArn = await push.enableEndpoint(platform, `token-${token}`);
    proxy.breakNext('answer');
    expect(await push.publish(endpointArn, platform, content)).toEqual({ delivery: 'sent' });
    const ids = pushes().map(({ payload, headers }) =>
      platform === 'fcm'
        ? (payload as { message: { android: { notification: { tag: string } } } }).message.android
            .notification.tag
        : headers['apns-collapse-id'],
    );
    expect(ids).toEqual([content.challengeId, content.challengeId]);
    expect(Buffer.byteLength(content.challengeId)).toBeLessThanOrEqual(64);
  },
);

type Answer = (error: Error | null, addresses: LookupAddress[]) => void;

/** Has the client resolve the name of SNS to these, one after another: an error's code, or an address. */
function resolveTo(...results: string[]): void {
  const lookup = (_name: string, _options: LookupOptions, answer: Answer): void => {
    const result = results.shift() ?? '127.0.0.1';
    if (result.startsWith('E')) answer(Object.assign(new Error(result), { code: result }), []);
    else answer(null, [{ address: result, family: 4 }]);
  };
  process.env['AWS_ENDPOINT_URL_SNS'] = sns.url.replace('127.0.0.1', 'localhost');
  client = snsClient();
  push = new PushClient(client, sns.applications);
  const agent = new Agent({ keepAlive: true, lookup });
  (client.config.requestHandler as NodeHttpHandler).updateHttpClientConfig('httpAgent', agent);
}

/** Nobody listens there: its answer is a real ECONNREFUSED. */
const refusing = '127.0.0.9';

describe.each([
  ['ENOTFOUND', 'ENOTFOUND'],
  ['EAI_AGAIN', 'EAI_AGAIN'],
  ['ECONNREFUSED', refusing],
])('a connection that fails with %s', (_code, result) => {
  test('delays the push when it fails once', async () => {
    resolveTo(result);
    expect(await publish()).toEqual({ delivery: 'sent' });
    expect(pushes()).toHaveLength(1);
  });

  test('fails the push when it fails always', async () => {
    resolveTo(result, result, result);
    expect(await publish()).toMatchObject({ delivery: 'failed' });
  });
});

test('a failed push has the code of its error for the log', async () => {
  resolveTo('ENOTFOUND', 'ENOTFOUND', 'ENOTFOUND');
  expect(await publish()).toEqual({ delivery: 'failed', fault: { name: 'Error', code: 'ENOTFOUND' } });
});

test('a connection that fails with EPIPE is repeated', async () => {
  // No server can make it happen for sure: whether a write meets a closed pipe or a reset is a matter of microseconds.
  const agent = new Agent({ keepAlive: true });
  const original = agent.createConnection.bind(agent);
  let written = 0;
  agent.createConnection = (options, opened) => {
    const socket = original(options, opened);
    written += 1;
    if (written === 1) socket?.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    return socket;
  };
  (client.config.requestHandler as NodeHttpHandler).updateHttpClientConfig('httpAgent', agent);
  expect(await publish()).toEqual({ delivery: 'sent' });
  expect(written).toBe(2);
  expect(pushes()).toHaveLength(1);
});

test('a push without a response fails after 3 s, and is not repeated', async () => {
  const { id } = sns.faults.add({ service: 'sns', operation: 'Publish', fault: 'timeout-after' });
  const before = performance.now();
  expect(await publish()).toEqual({ delivery: 'failed', fault: { name: 'AbortError' } });
  expect(performance.now() - before).toBeGreaterThan(2_900);
  sns.faults.remove(id);
  expect(pushes()).toHaveLength(1);
});

test('a call about an endpoint without a response is repeated', async () => {
  sns.faults.add({ service: 'sns', operation: 'DeleteEndpoint', fault: 'timeout-after', times: 1 });
  await new EndpointClient(client).deleteEndpoint(endpointArn);
  expect(sns.faults.list()).toEqual([]);
});
