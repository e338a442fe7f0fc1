import {
  BatchGetCommand,
  GetCommand,
  UpdateCommand,
  type DynamoDBDocumentClient,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  retainedUntil,
  mismatchesAllowed,
  transitions,
  type Confirmation,
  type Delivery,
  type Fetch,
  type SpokenNumber,
  type Transition,
} from './confirmation.ts';
import type { DeviceKey } from '../devices/device-key.ts';
import { fromStoredJws, toStoredJws, type StoredJws } from '../devices/protocol/stored-jws.ts';
import { messageHashOf, sha256 } from '../kernel/identifiers.ts';
import { batchGet } from '../aws/batch-get.ts';
import { withStoreErrors, unmarshallItem, type Item, type Write } from '../aws/dynamodb-client.ts';

/** What a transition writes besides the status. */
export type Decision = Pick<
  Confirmation,
  'deviceId' | 'reason' | 'decidedAt' | 'evidence' | 'deviceKey' | 'receipt' | 'userVerified' | 'passkeyKey'
>;

/** The coordinates of a P-256 key. */
type StoredKey = [x: Uint8Array, y: Uint8Array];

const toStoredKey = ({ x, y }: DeviceKey): StoredKey => [
  Buffer.from(x, 'base64url'),
  Buffer.from(y, 'base64url'),
];

const fromStoredKey = ([x, y]: StoredKey): DeviceKey => ({
  kty: 'EC',
  crv: 'P-256',
  x: Buffer.from(x).toString('base64url'),
  y: Buffer.from(y).toString('base64url'),
});

/** What is kept as bytes, so that a decided confirmation needs fewer write units. */
type Compact = { evidence?: StoredJws; deviceKey?: StoredKey; passkeyKey?: StoredKey };

/** Members that follow from others. They are not stored. */
const computed = ['challengeId', 'messageHash', 'contextHash', 'detailsHash'] as const;

type Computed = (typeof computed)[number];
type StoredConfirmation = Omit<Confirmation, Computed | keyof Compact> & Compact & { pk: string };

const toStored = <T extends Decision>({ evidence, deviceKey, passkeyKey, ...fields }: T) => ({
  ...fields,
  ...(evidence !== undefined && { evidence: toStoredJws(evidence) }),
  ...(deviceKey && { deviceKey: toStoredKey(deviceKey) }),
  ...(passkeyKey && { passkeyKey: toStoredKey(passkeyKey) }),
});

const toItem = (confirmation: Confirmation): Item => ({
  pk: confirmation.challengeId,
  ...Object.fromEntries(
    Object.entries(toStored(confirmation)).filter(([name]) => !computed.some((one) => one === name)),
  ),
});

const toConfirmation = (item: Item): Confirmation => {
  const { pk, evidence, deviceKey, passkeyKey, ...kept } = item as StoredConfirmation;
  return {
    ...kept,
    challengeId: pk,
    messageHash: messageHashOf(kept.message),
    contextHash: sha256(kept.context),
    ...(kept.details !== undefined && { detailsHash: sha256(kept.details) }),
    ...(evidence && { evidence: fromStoredJws(evidence) }),
    ...(deviceKey && { deviceKey: fromStoredKey(deviceKey) }),
    ...(passkeyKey && { passkeyKey: fromStoredKey(passkeyKey) }),
  };
};

/** Groups and the reservations of their nonces are in the same table. No confirmation has such a member. */
export const isOfGroup = (item: Item): boolean => 'members' in item;

/** DynamoDB deletes expired items late: they count as deleted from their time to live on. */
const ifRetained = (item: Item | undefined, now: number): Confirmation | undefined => {
  const confirmation = item && !isOfGroup(item) ? toConfirmation(item) : undefined;
  return confirmation && retainedUntil(confirmation) > now ? confirmation : undefined;
};

/** Confirmations by their challenge id. */
export class ConfirmationStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** One read. */
  async find(challengeId: string, now: number): Promise<Confirmation | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { pk: challengeId }, ConsistentRead: true }),
    );
    return ifRetained(Item, now);
  }

  /**
   * One read of several confirmations, in any order.
   *
   * @throws {ConflictError} if a throttled table returned only a part
   */
  async findAll(challengeIds: readonly string[], now: number): Promise<Confirmation[]> {
    const Keys = challengeIds.map((pk) => ({ pk }));
    const answer = await batchGet(
      async (RequestItems) => await this.#client.send(new BatchGetCommand({ RequestItems })),
      { [this.#table]: { Keys, ConsistentRead: true } },
    );
    return (answer.get(this.#table) ?? []).flatMap((item) => ifRetained(item, now) ?? []);
  }

  /** The part of a read of several tables at once; see {@link DeviceCallStore}. */
  batchGet(challengeId: string) {
    return {
      request: { [this.#table]: { Keys: [{ pk: challengeId }], ConsistentRead: true } },
      parse: (responses: ReadonlyMap<string, Item[]>, now: number) =>
        ifRetained(responses.get(this.#table)?.[0], now),
    };
  }

  /** The write of a new confirmation. If its nonce is in use, it fails with the existing item; see {@link parse}. */
  create(confirmation: Confirmation): Write {
    return {
      Put: {
        TableName: this.#table,
        Item: { ...toItem(confirmation), ttl: Math.ceil(retainedUntil(confirmation) / 1000) },
        ConditionExpression: 'attribute_not_exists(pk) OR #ttl <= :now',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':now': Math.floor(confirmation.createdAt / 1000) },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    };
  }

  /** The current confirmation, from the failed condition of one of this store's writes. */
  parse(item: Item): Confirmation {
    return toConfirmation(item);
  }

  /** A row of {@link transitions} as one conditional write. No other write changes the status. */
  transition(challengeId: string, transition: Transition, now: number, decision: Decision = {}): Write {
    const { from, to, allowed } = transitions[transition];
    const fields = Object.entries(toStored(decision));
    return {
      Update: {
        TableName: this.#table,
        Key: { pk: challengeId },
        UpdateExpression: `SET #status = :to${fields.map(([name]) => `, #${name} = :${name}`).join('')}`,
        ConditionExpression: `#status = :from AND expiresAt ${allowed === 'before-expiry' ? '>' : '<='} :now`,
        ExpressionAttributeNames: {
          '#status': 'status',
          ...Object.fromEntries(fields.map(([name]) => [`#${name}`, name])),
        },
        ExpressionAttributeValues: {
          ':from': from,
          ':to': to,
          ':now': now,
          ...Object.fromEntries(fields.map(([name, value]) => [`:${name}`, value])),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    };
  }

  /** The write that uses a confirmation for one change. Repeated for the same change, it has no effect. */
  consume(challengeId: string, use: string): Write {
    return {
      Update: {
        TableName: this.#table,
        Key: { pk: challengeId },
        UpdateExpression: 'SET usedFor = :use',
        ConditionExpression: '#status = :confirmed AND (attribute_not_exists(usedFor) OR usedFor = :use)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':confirmed': 'confirmed', ':use': use },
      },
    };
  }

  /** The write of one comparison with the number that a caller read out. It fails if another came first. */
  setSpoken(challengeId: string, before: SpokenNumber, spoken: SpokenNumber): Write {
    return {
      Update: {
        TableName: this.#table,
        Key: { pk: challengeId },
        UpdateExpression: 'SET spoken = :spoken',
        ConditionExpression: 'spoken.tries = :tries',
        ExpressionAttributeValues: { ':spoken': spoken, ':tries': before.tries },
      },
    };
  }

  /**
   * Records that the device got an open challenge: `openedAt` the first time, and the newest request. One write, no read.
   *
   * @param opening.deviceId the device, of a question to all devices: each has a newest request of its own
   * @returns the confirmation; `isRecorded` is false if it is not open, or the request is not new enough for it
   */
  async markOpened(
    challengeId: string,
    { fetch, now, deviceId }: { fetch: Fetch; now: number; deviceId?: string },
  ): Promise<{ confirmation: Confirmation; isRecorded: boolean } | undefined> {
    const fetched = deviceId === undefined ? 'fetched' : 'fetchedBy.#device';
    try {
      const { Attributes = {} } = await this.#update(challengeId, {
        UpdateExpression: `SET openedAt = if_not_exists(openedAt, :now), ${fetched} = :fetch`,
        ConditionExpression:
          '#status = :pending AND expiresAt > :now AND ' +
          `(attribute_not_exists(${fetched}) OR ${fetched}.issuedAt < :issuedAt OR ` +
          `(${fetched}.issuedAt = :issuedAt AND ${fetched}.jwsHash <> :jwsHash) OR ${fetched}.#call = :call)`,
        ExpressionAttributeNames: {
          '#status': 'status',
          '#call': 'call',
          ...(deviceId !== undefined && { '#device': deviceId }),
        },
        ExpressionAttributeValues: {
          ':pending': 'pending',
          ':now': now,
          ':fetch': fetch,
          ':issuedAt': fetch.issuedAt,
          ':jwsHash': fetch.jwsHash,
          ':call': fetch.call,
        },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      return { confirmation: toConfirmation(Attributes), isRecorded: true };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const confirmation = error.Item && ifRetained(unmarshallItem(error.Item), now);
      return confirmation && { confirmation, isRecorded: false };
    }
  }

  /** Only for results other than `sent`, which a confirmation has from the beginning. */
  async setDelivery(challengeId: string, delivery: Delivery): Promise<void> {
    await this.#update(challengeId, {
      UpdateExpression: 'SET delivery = :delivery',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':delivery': delivery },
    });
  }

  /** The ping was sent, or is useless by now. */
  async forgetPing(challengeId: string): Promise<void> {
    await this.#update(challengeId, {
      UpdateExpression: 'REMOVE ping',
      ConditionExpression: 'attribute_exists(pk)',
    });
  }

  /**
   * Counts an answer with a wrong hash of what was shown. The same answer counts once.
   *
   * @param answerHash identifies the answer
   * @returns false if the limit is reached, so that this answer ends the confirmation
   */
  async countMismatch(challengeId: string, answerHash: string): Promise<boolean> {
    try {
      await this.#update(challengeId, {
        UpdateExpression: 'ADD mismatches :answers',
        ConditionExpression:
          '#status = :pending AND (attribute_not_exists(mismatches) OR size(mismatches) < :allowed OR contains(mismatches, :answer))',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':answers': new Set([answerHash]),
          ':answer': answerHash,
          ':pending': 'pending',
          ':allowed': mismatchesAllowed,
        },
      });
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  async #update(challengeId: string, update: Omit<UpdateCommandInput, 'TableName' | 'Key'>) {
    const command = new UpdateCommand({ TableName: this.#table, Key: { pk: challengeId }, ...update });
    return await withStoreErrors(async () => await this.#client.send(command));
  }
}
