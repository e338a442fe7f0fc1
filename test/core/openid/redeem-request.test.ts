import { randomBytes } from 'node:crypto';
import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Outbox } from '../../../core/events/outbox-writer.ts';
import { challengeIdOf } from '../../../core/kernel/identifiers.ts';
import { BackchannelStore } from '../../../core/openid/backchannel-store.ts';
import { redeemRequest } from '../../../core/openid/redeem-request.ts';
import { defaultSettings } from '../../../core/tenants/tenant.ts';
import { usedAssertionKey, UsedAssertionStore } from '../../../core/openid/used-assertion-store.ts';
import { clientId, PushWorld } from '../../support/push-world.ts';

const start = Date.UTC(2026, 0, 1, 12);
const second = 1000;
const minute = 60 * second;

let database: DynamoDBDocumentClient;
beforeAll(async () => {
  database = await PushWorld.database();
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A request for two minutes, in a world whose clock the test sets. */
class CibaWorld {
  readonly world = new PushWorld(database);
  readonly id = randomBytes(32).toString('base64url');
  signed = 0;

  static async asked(): Promise<CibaWorld> {
    const own = new CibaWorld();
    await own.world.addDevice('phone', start - minute);
    const ciba = { scope: 'openid', interval: 2 * second };
    await own.world.send({ nonce: own.id, ofSeveral: 'usual', ciba }, start);
    return own;
  }

  async redeem(now: number, sign: () => Promise<string> = async () => await Promise.resolve('token')) {
    const { world } = this;
    const deps = {
      confirmations: world.confirmations,
      outbox: new Outbox(database, 'events', { instanceId: 'test', version: '1' }),
      requests: new BackchannelStore(database, 'confirmations'),
      signer: {
        sign: async () => {
          this.signed += 1;
          return await sign();
        },
      },
      issuer: 'https://omi.example.org',
    };
    const client = {
      ...{ clientId, tenantId: world.tenantId, settings: defaultSettings },
      ...{ requester: { tenant: 'Bank', client: 'website' }, scopes: [], secretHashes: [] },
    };
    return await redeemRequest(deps, { authReqId: this.id }, { client, now, origin: { traceId: 'trace' } });
  }

  /** @returns the error of a poll */
  async pollAt(now: number): Promise<string> {
    const error: unknown = await this.redeem(now).then(
      () => ({ code: 'none' }),
      (thrown: unknown) => thrown,
    );
    return (error as { code: string }).code;
  }

  async confirm(now: number): Promise<void> {
    const sent = await this.world.poll(this.id, now);
    const { challengeId = '', messageHash = '' } = sent ?? {};
    await this.world.answer('phone', { challengeId, messageHash, decision: 'confirm' }, 'jws', now);
  }
}

describe('the time of a request', () => {
  test('ends to the second, and its expiry is recorded by the poll that finds it', async () => {
    const ciba = await CibaWorld.asked();
    expect(await ciba.pollAt(start + 2 * minute - 1)).toBe('authorization_pending');
    expect(await ciba.pollAt(start + 2 * minute)).toBe('expired_token');
    const challengeId = challengeIdOf(ciba.world.tenantId, ciba.id);
    const events = await ciba.world.events(challengeId);
    expect(events.map(({ metadata }) => metadata.type)).toEqual([
      'PushNotificationSentEvent',
      'PushNotificationExpiredEvent',
    ]);
    expect(await ciba.pollAt(start + 20 * minute)).toBe('expired_token');
    // A day later the item may be gone.
    const gone = start + 2 * minute + 24 * 60 * minute;
    expect(await ciba.pollAt(gone - 1)).toBe('expired_token');
    expect(await ciba.pollAt(gone)).toBe('invalid_grant');
  });

  test('may be over at the first poll', async () => {
    const ciba = await CibaWorld.asked();
    expect(await ciba.pollAt(start + 2 * minute)).toBe('expired_token');
  });

  test.each([
    [start + 12 * minute - 1, 'none'],
    [start + 12 * minute, 'expired_token'],
  ])('leaves ten minutes to redeem a confirmation in time', async (now, code) => {
    const ciba = await CibaWorld.asked();
    await ciba.confirm(start + 2 * minute - 1);
    expect(await ciba.pollAt(now)).toBe(code);
  });
});

describe('the poll interval', () => {
  test('grows by 5 seconds with each poll that comes too soon', async () => {
    const ciba = await CibaWorld.asked();
    expect(await ciba.pollAt(start)).toBe('authorization_pending');
    // The clocks of two Lambdas may differ by half a second.
    expect(await ciba.pollAt(start + 1.5 * second)).toBe('authorization_pending');
    expect(await ciba.pollAt(start + 2.9 * second)).toBe('slow_down');
    expect(await ciba.pollAt(start + 9 * second)).toBe('slow_down');
    expect(await ciba.pollAt(start + 21 * second)).toBe('authorization_pending');
  });

  test('does not apply after the user has answered', async () => {
    const ciba = await CibaWorld.asked();
    expect(await ciba.pollAt(start + second)).toBe('authorization_pending');
    await ciba.confirm(start + 1.1 * second);
    expect(await ciba.pollAt(start + 1.2 * second)).toBe('none');
  });

  test('does not apply if the user answers while an early poll is counted', async () => {
    const ciba = await CibaWorld.asked();
    expect(await ciba.pollAt(start)).toBe('authorization_pending');
    const answered = beforeUpdate('ciba.#interval + :more', async () => await ciba.confirm(start + second));
    expect(await ciba.pollAt(start + second)).toBe('none');
    expect(answered()).toBe(1);
  });
});

/** Does something just before an update whose expression contains this text. @returns how often it did */
function beforeUpdate(text: string, act: () => Promise<void>): () => number {
  const original = database.send.bind(database);
  let times = 0;
  const sending = jest.spyOn(database, 'send') as unknown as jest.SpiedFunction<
    (sent: object) => Promise<unknown>
  >;
  sending.mockImplementation(async (sent) => {
    if (sent instanceof UpdateCommand && sent.input.UpdateExpression?.includes(text)) {
      times += 1;
      await act();
    }
    return await original(sent as never);
  });
  return () => times;
}

describe('tokens', () => {
  test('are issued after a fault of the signature', async () => {
    const ciba = await CibaWorld.asked();
    await ciba.confirm(start + second);
    const fault = async () => await Promise.reject(new Error('KMS'));
    await expect(ciba.redeem(start + 2 * second, fault)).rejects.toThrow('KMS');
    expect(await ciba.pollAt(start + 3 * second)).toBe('none');
    expect(await ciba.pollAt(start + 4 * second)).toBe('invalid_grant');
  });

  test('are not signed again after they were issued, and their request is unknown from then on', async () => {
    const ciba = await CibaWorld.asked();
    await ciba.confirm(start + second);
    expect(await ciba.pollAt(start + 2 * second)).toBe('none');
    expect(await ciba.pollAt(start + 3 * second)).toBe('invalid_grant');
    expect(ciba.signed).toBe(2);
    // Not expired_token: it tells nothing of the others.
    expect(await ciba.pollAt(start + 12 * minute)).toBe('invalid_grant');
  });

  test('are issued once, even if two calls have them signed at the same time', async () => {
    const ciba = await CibaWorld.asked();
    await ciba.confirm(start + second);
    const codes: string[] = [];
    const redeemMeanwhile = async () => {
      if (codes.length === 0) codes.push(await ciba.pollAt(start + 2 * second));
      return 'token';
    };
    await expect(ciba.redeem(start + 2 * second, redeemMeanwhile)).rejects.toMatchObject({
      code: 'invalid_grant',
    });
    expect(codes).toContain('none');
  });

  test('are not issued for a user who was erased while they were signed', async () => {
    const ciba = await CibaWorld.asked();
    await ciba.confirm(start + second);
    const pk = challengeIdOf(ciba.world.tenantId, ciba.id);
    const eraseMeanwhile = async () => {
      await database.send(new DeleteCommand({ TableName: 'confirmations', Key: { pk } }));
      return 'token';
    };
    await expect(ciba.redeem(start + 2 * second, eraseMeanwhile)).rejects.toMatchObject({
      code: 'invalid_grant',
    });
    // The failed redemption does not bring the confirmation back.
    expect(await ciba.world.poll(ciba.id, start + 3 * second)).toBeUndefined();
  });
});

/** Each update is carried out once more, as the SDK does after an answer that did not arrive. */
function repeatUpdates(command: string): () => number {
  const original = database.send.bind(database);
  let repeated = 0;
  const sending = jest.spyOn(database, 'send') as unknown as jest.SpiedFunction<
    (sent: object) => Promise<unknown>
  >;
  sending.mockImplementation(async (sent) => {
    if (sent.constructor.name !== command) return await original(sent as never);
    await original(sent as never).catch(() => undefined);
    repeated += 1;
    return await original(sent as never);
  });
  return () => repeated;
}

describe('a call whose answer was lost', () => {
  test('does not count as a second poll or a second redemption', async () => {
    const ciba = await CibaWorld.asked();
    const repeated = repeatUpdates('UpdateCommand');
    expect(await ciba.pollAt(start)).toBe('authorization_pending');
    jest.restoreAllMocks();
    await ciba.confirm(start + second);
    const again = repeatUpdates('UpdateCommand');
    expect(await ciba.pollAt(start + 2 * second)).toBe('none');
    expect([repeated(), again()]).toEqual([1, 2]);
  });

  test('does not count as a second use of an assertion', async () => {
    const store = new UsedAssertionStore(database, 'confirmations');
    const assertion = { clientId, jti: randomBytes(8).toString('hex'), expiresAt: start };
    repeatUpdates('PutCommand');
    expect(await store.use(assertion, 'attempt')).toBe(true);
    jest.restoreAllMocks();
    expect(await store.use(assertion, 'another')).toBe(false);
  });
});

describe('the store of requests', () => {
  const requests = () => new BackchannelStore(database, 'confirmations');
  const pollOf = ({ world, id }: CibaWorld) => ({
    challengeId: challengeIdOf(world.tenantId, id),
    clientId,
    now: start + 2 * second,
  });

  test("redeems a client's own request", async () => {
    const ciba = await CibaWorld.asked();
    await ciba.confirm(start + second);
    const poll = pollOf(ciba);
    expect(await requests().redeem({ ...poll, clientId: 'another' }, 'attempt')).toBe(false);
    expect(await requests().redeem(poll, 'attempt')).toBe(true);
  });

  test('redeems what the user confirmed', async () => {
    const ciba = await CibaWorld.asked();
    expect(await requests().redeem(pollOf(ciba), 'attempt')).toBe(false);
  });

  test('does not confuse a fault with a refusal', async () => {
    const broken = new BackchannelStore(database, 'none');
    const poll = pollOf(await CibaWorld.asked());
    const fault = { name: 'ResourceNotFoundException' };
    await expect(broken.poll(poll)).rejects.toMatchObject(fault);
    await expect(broken.slowDown(poll)).rejects.toMatchObject(fault);
    await expect(broken.redeem(poll, 'attempt')).rejects.toMatchObject(fault);
  });
});

describe('the store of used assertions', () => {
  const newJti = () => randomBytes(8).toString('hex');

  test('keeps the assertions of each client separately', async () => {
    const store = new UsedAssertionStore(database, 'confirmations');
    const assertion = { clientId, jti: newJti(), expiresAt: start };
    expect(await store.use(assertion, 'first')).toBe(true);
    expect(await store.use({ ...assertion, clientId: 'another' }, 'second')).toBe(true);
  });

  test.each([
    [start, start + second],
    [start + 1, start + 2 * second],
    [start + 999, start + 2 * second],
  ])('keeps an assertion that ends at %d until the second after', async (expiresAt, kept) => {
    const assertion = { clientId, jti: newJti(), expiresAt };
    await new UsedAssertionStore(database, 'confirmations').use(assertion, 'attempt');
    const { Item } = await database.send(
      new GetCommand({ TableName: 'confirmations', Key: usedAssertionKey(assertion) }),
    );
    expect(Item).toMatchObject({ ttl: kept / second });
  });

  test('does not confuse a fault with a use', async () => {
    const assertion = { clientId, jti: newJti(), expiresAt: start };
    await expect(new UsedAssertionStore(database, 'none').use(assertion, 'attempt')).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });
});
