import { randomBytes, randomUUID } from 'node:crypto';
import { PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { transact } from '../../../core/aws/dynamodb-client.ts';
import { GroupStore } from '../../../core/confirmations/groups/group-store.ts';
import { CallbackStore } from '../../../core/callbacks/callback-store.ts';
import { CallComposer } from '../../../core/callbacks/compose-call.ts';
import { furtherAttempt } from '../../../core/callbacks/further-attempt.ts';
import { OpenedSecrets } from '../../../core/outbound/opened-secrets.ts';
import { CallSlotStore } from '../../../core/callbacks/call-slot-store.ts';
import { WaitingStore } from '../../../core/callbacks/waiting-store.ts';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import { clientId, PushWorld } from '../../support/push-world.ts';

const minute = 60_000;

let database: DynamoDBDocumentClient;
let receivers: CallbackStore;
let world: PushWorld;
let authReqId: string;
let pings: number;

beforeAll(async () => {
  database = await PushWorld.database();
  receivers = new CallbackStore(database, 'tenants');
  await database.send(new PutCommand({ TableName: 'tenants', Item: tenantKeys.client(clientId) }));
});

beforeEach(async () => {
  world = new PushWorld(database);
  authReqId = randomBytes(32).toString('base64url');
  pings = 0;
  await world.addDevice('phone', Date.now() - 60 * minute);
  const registered = { clientId, tenantId: world.tenantId, url: 'https://bank.example/ciba' };
  await transact(database, [receivers.registration('ping', registered, Date.now())]);
});

/** A request that was asked 20 minutes ago and denied a minute later. Its receiver has not been pinged yet. */
async function denied(expiresIn: number): Promise<string> {
  const at = Date.now() - 20 * minute;
  const request = { nonce: authReqId, expiresIn, ciba: { scope: 'openid', interval: 2_000 }, ping: 'sealed' };
  const { challengeId, messageHash } = await world.send(request, at);
  await world.answer('phone', { challengeId, messageHash, decision: 'deny' }, 'jws', at + minute);
  return challengeId;
}

async function ping(challengeId: string) {
  const open = async () => await Promise.resolve(JSON.stringify({ authReqId, token: 'token' }));
  const call = async () => {
    pings += 1;
    return await Promise.resolve({
      succeeded: true,
      reason: 'It answered with HTTP 204.',
      isFast: true,
    } as const);
  };
  const deps = {
    receivers,
    confirmations: world.confirmations,
    groups: new GroupStore(database, 'confirmations'),
    waiting: new WaitingStore(database, 'attempts'),
    slots: new CallSlotStore(database, 'attempts'),
    composer: new CallComposer(new OpenedSecrets({ open })),
    caller: { call },
  };
  const message = { kind: 'ping', tenantId: world.tenantId, challengeId, eventId: randomUUID() } as const;
  const { outcome } = await furtherAttempt(deps, message);
  const confirmation = await world.confirmations.find(challengeId, Date.now());
  return { outcome, pings, isSealed: confirmation?.ping !== undefined };
}

describe('a late ping', () => {
  test('is sent until ten minutes after the expiry, while the tokens can be fetched', async () => {
    expect(await ping(await denied(15 * 60))).toEqual({ outcome: 'delivered', pings: 1, isSealed: false });
  });

  test('is given up afterwards, and its sealed data is deleted', async () => {
    expect(await ping(await denied(9 * 60))).toEqual({ outcome: 'given-up', pings: 0, isSealed: false });
  });

  test('is dropped if no receiver is registered any more, and its sealed data is deleted', async () => {
    const challengeId = await denied(15 * 60);
    await transact(database, [receivers.removal('ping', clientId)]);
    expect(await ping(challengeId)).toEqual({ outcome: 'dropped', pings: 0, isSealed: false });
  });
});
