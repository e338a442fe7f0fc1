import { once } from 'node:events';
import { json as bodyOf } from 'node:stream/consumers';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { Event as Recorded } from '../../../core/events/event.ts';
import { EventStore } from '../../../core/events/event-store.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { type Event, createWebhookReceiver, toNodeListener } from '#consumer';
import type { TestStack } from '../../support/stack.ts';
import { until } from '../../support/waiting.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { dynamodbOf } from './tables.ts';
import { newTenant } from './tenants.ts';

type Shown = { secret?: string; state: string; reason: string; destination: { url: string; lanes: number } };

/** What an operator does about webhooks, with a tenant that uses `@omi/consumer`. */
export function webhooks(stack: TestStack): void {
  const omi = omiOn(stack);
  const json = jsonOn(stack);
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });

  /** The tenant's receiver. Its secret is known after the registration. */
  async function receive() {
    const settings = { secret: 'whsec_AAAA' as string | string[] };
    const received: Event[] = [];
    const options = {
      get secret() {
        return settings.secret;
      },
      handlers: { other: (event: Event) => void received.push(event) },
      onError: () => undefined,
    };
    const server = createServer(toNodeListener(createWebhookReceiver(options)));
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return { settings, received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events` };
  }

  test('get a secret that is shown once, and go live when they are proven', async () => {
    const tenant = await newTenant(stack);
    const { settings, received, url } = await receive();
    const set = await json<Shown>('target', 'set', 'webhook', tenant, 'public', '--url', url);
    expect(set).toMatchObject({ state: 'validating', destination: { kind: 'webhook', url, lanes: 2 } });
    expect(set.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);

    const refused = await omi(['--json', 'target', 'test', tenant, 'public']);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.out)).toMatchObject({
      code: 'Webhook.Http400',
      reason: expect.stringMatching(/secret/),
    });

    settings.secret = set.secret ?? '';
    expect(await json<Shown>('target', 'test', tenant, 'public')).toMatchObject({ state: 'active' });
    const metadata = {
      ...{ tenantId: tenant, category: 'public', type: 'UserCreatedEvent', metadataVersion: '1.0' },
      ...{ payloadVersion: '1.0', aggregateId: 'user-1', eventId: randomUUID() },
      ...{ occurredTime: new Date().toISOString(), producerId: 'test', producerInstanceId: 'test' },
    };
    const event = { metadata, payload: { userId: 'user-1' } } as unknown as Recorded;
    await new EventStore(dynamodbOf(stack), localTables.events).append(tenant, [event]);
    await until(() => received.length > 0);
    expect(received).toEqual([event]);

    const again = await json<Shown>('target', 'set', 'webhook', tenant, 'public', '--url', url);
    expect(again).toMatchObject({ state: 'active', destination: { url } });
    expect(again.secret).toBeUndefined();
    const [shown] = await json<[Shown]>('target', 'status', tenant, 'public');
    expect(JSON.stringify(shown)).not.toMatch(/whsec|sealed/);
  });

  /** A receiver that answers every verification, whoever signs it. */
  async function trusting(): Promise<string> {
    const server = createServer((request, response) => {
      void bodyOf(request).then((body) => {
        response.end(JSON.stringify({ challenge: (body as { challenge: string }).challenge }));
      });
    });
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  const setTo = (tenant: string, url: string, ...more: string[]): string[] => [
    ...['--json', 'target', 'set', 'webhook', tenant, 'public', '--url', url, ...more],
  ];

  test('go live automatically if they answer, and may be tested by hand', async () => {
    const tenant = await newTenant(stack);
    const { code, out, err } = await omi(setTo(tenant, await trusting()));
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('tests the target now') });
    expect(JSON.parse(out)).toMatchObject({ lastTest: { outcome: expect.any(String) } });
    const status = async () => (await json<[Shown]>('target', 'status', tenant, 'public'))[0].state;
    await until(async () => (await status()) === 'active');
    expect(await json<Shown>('target', 'test', tenant, 'public')).toMatchObject({ state: 'active' });
  });

  test.each([
    ['NopeEvent', /type NopeEvent\. Known: /],
    ['UserSignedinEvent', /Did you mean UserSignedInEvent\?/],
  ])('cannot have the type %s, because no public event has it', async (type, reason) => {
    const { code, out, err } = await omi(
      setTo(await newTenant(stack), 'http://127.0.0.1:9/', '--type', type),
    );
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(reason);
  });

  test('are signed by both secrets during a rotation', async () => {
    const tenant = await newTenant(stack);
    const { settings, url } = await receive();
    const { secret: first = '' } = await json<Shown>(
      'target',
      'set',
      'webhook',
      tenant,
      'public',
      '--url',
      url,
    );
    const isSignedBy = async (secret: string): Promise<boolean> => {
      settings.secret = secret;
      return (await omi(['target', 'test', tenant, 'public'])).code === 0;
    };
    const rotate = async (...step: string[]) =>
      await json<Shown>('target', 'rotate', tenant, 'public', ...step);

    const { secret: lost = '' } = await rotate();
    expect(await isSignedBy(lost)).toBe(true);
    expect(await isSignedBy(first)).toBe(true);
    expect((await omi(['target', 'rotate', tenant, 'public'])).err).toContain('already has two secrets');
    await rotate('--cancel');
    expect(await isSignedBy(first)).toBe(true);
    const { secret: next = '' } = await rotate();
    await rotate('--finish');
    expect(await isSignedBy(next)).toBe(true);
    expect(await isSignedBy(first)).toBe(false);
    expect(await rotate('--finish')).toMatchObject({ deletedSecrets: 0 });
  });

  test.each(['https://10.0.0.1/', 'http://events.example.com/'])('cannot have the URL %s', async (url) => {
    const { code, err } = await omi([
      'target',
      'set',
      'webhook',
      await newTenant(stack),
      'public',
      '--url',
      url,
    ]);
    expect({ code, names: err.includes('--url') }).toEqual({ code: 2, names: true });
  });

  test('are the only targets with a secret, and need no policies', async () => {
    const tenant = await newTenant(stack);
    await json('target', 'set', 'none', tenant, 'public', '--yes');
    expect((await omi(['target', 'rotate', tenant, 'public'])).err).toContain('not a webhook');
    await json('target', 'set', 'webhook', tenant, 'public', '--url', 'http://127.0.0.1:9/');
    expect((await omi(['target', 'policies', tenant, 'public'])).err).toContain('needs no policies');
    // The secret goes with the webhook.
    await json('target', 'set', 'none', tenant, 'public', '--yes');
    expect((await omi(['target', 'rotate', tenant, 'public'])).err).toContain('not a webhook');
  });
}
