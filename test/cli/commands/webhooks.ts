import { once } from 'node:events';
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
}
