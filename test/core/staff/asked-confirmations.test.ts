import { expect, test } from '@jest/globals';
import { AskedConfirmations } from '../../../core/staff/asked-confirmation-store.ts';
import { challengeIdOf } from '../../../core/kernel/identifiers.ts';
import { PushWorld } from '../../support/push-world.ts';

const now = Date.UTC(2026, 0, 1, 12);

test('a user has none of the confirmations that others of the tenant were asked in the same millisecond', async () => {
  const client = await PushWorld.database();
  const world = new PushWorld(client);
  const { tenantId } = world;
  const neighbours = Array.from(
    { length: 20 },
    (_, index) => new PushWorld(client, undefined, tenantId, `neighbour-${index}`),
  );
  for (const each of [world, ...neighbours]) {
    await each.addDevice('phone', now);
    await each.ask({ nonce: `nonce-of-${each.userId}` }, now);
  }
  const asked = new AskedConfirmations(client, 'events');
  expect(await asked.find(world, [now])).toEqual([
    {
      challengeId: challengeIdOf(tenantId, `nonce-of-${world.userId}`),
      ...{ status: 'pending', askedAt: '2026-01-01T12:00:00.000Z', deviceIds: ['phone'] },
    },
  ]);
});
