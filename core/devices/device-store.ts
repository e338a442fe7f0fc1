import {
  BatchGetCommand,
  GetCommand,
  QueryCommand,
  UpdateCommand,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { Device, DeviceIdentity, NativeDevice, User, WebDevice } from './device.ts';
import type { Subscription } from './subscription.ts';
import { batchGet } from '../aws/batch-get.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import type { PushHistory } from './push-history.ts';
import {
  deleteHistory,
  historyKey,
  isHistory,
  parseHistory,
  putHistory,
  userPartition,
  type VersionedHistory,
} from './push-history-item.ts';
import {
  withStoreErrors,
  ConditionsFailed,
  transact,
  type Item,
  type Write,
} from '../aws/dynamodb-client.ts';
import { newRelease, type ReleasedEndpoint, releaseWrite } from './push/released-endpoint-store.ts';
import { isSuspension, suspensionKey } from './suspension.ts';

/** A user's devices and push history, from one read. */
export type UserRecord = VersionedHistory & { devices: Device[] };

const devicePrefix = 'device#';

const endpointKey = (endpointArn: string): string => `endpoint#${endpointArn}`;

const keys = {
  device: (device: DeviceIdentity) => ({
    pk: userPartition(device),
    sk: `${devicePrefix}${device.deviceId}`,
  }),
  endpointUse: (device: DeviceIdentity, endpointArn: string) => ({
    pk: endpointKey(endpointArn),
    sk: `${userPartition(device)}#${device.deviceId}`,
  }),
};

const toDevice = (item: Item): Device => item['device'] as Device;

/** The devices table: devices, push histories of users, and the devices that use an SNS endpoint. */
export class DeviceStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** One read. */
  async loadUser(user: User): Promise<UserRecord> {
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'pk = :user',
        ExpressionAttributeValues: { ':user': userPartition(user) },
        ConsistentRead: true,
      }),
    );
    const history = Items.find(isHistory);
    return { ...parseHistory(history), devices: Items.filter((item) => item !== history).map(toDevice) };
  }

  /** One read. */
  async find(device: DeviceIdentity): Promise<Device | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: keys.device(device), ConsistentRead: true }),
    );
    return Item && toDevice(Item);
  }

  /** The user's push history. One read. */
  async findHistory(user: User): Promise<PushHistory> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: historyKey(user), ConsistentRead: true }),
    );
    return parseHistory(Item).history;
  }

  /**
   * The push histories of several users, by user id. One read.
   *
   * @throws {ConflictError} if a throttled table returned only a part
   */
  async findHistories(users: readonly User[]): Promise<ReadonlyMap<string, VersionedHistory>> {
    const byKey = new Map(users.map((user) => [userPartition(user), user.userId]));
    const answer = await batchGet<Item>(
      async (RequestItems) => await this.#client.send(new BatchGetCommand({ RequestItems })),
      { [this.#table]: { Keys: users.map(historyKey), ConsistentRead: true } },
    );
    const items = answer.get(this.#table) ?? [];
    return new Map(items.map((item) => [byKey.get(String(item['pk'])) ?? '', parseHistory(item)]));
  }

  /** Whether the user's tenant is suspended. One read. */
  async isSuspended(user: User): Promise<boolean> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: suspensionKey(user), ConsistentRead: true }),
    );
    return Item !== undefined;
  }

  /** A condition for a transaction: the user's tenant is not suspended. */
  requireNotSuspended(user: User): Write {
    return {
      ConditionCheck: {
        TableName: this.#table,
        Key: suspensionKey(user),
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    };
  }

  /** The part of a read of several tables at once; see {@link DeviceCallStore}. */
  batchGet(device: DeviceIdentity) {
    const Keys = [keys.device(device), historyKey(device), suspensionKey(device)];
    return {
      request: { [this.#table]: { Keys, ConsistentRead: true } },
      parse: (responses: ReadonlyMap<string, Item[]>) => {
        const items = responses.get(this.#table) ?? [];
        const suspension = items.find(isSuspension);
        const history = items.find(isHistory);
        const found = items.find((item) => item !== history && item !== suspension);
        const parsed = parseHistory(history);
        return {
          ...parsed,
          device: found && toDevice(found),
          isSuspended: suspension !== undefined || parsed.history.suspendedAt !== undefined,
        };
      },
    };
  }

  /** The writes that create a device and record that it uses its SNS endpoint, if it has one. */
  add(device: Device): Write[] {
    return [
      {
        Put: {
          TableName: this.#table,
          Item: { ...keys.device(device), device },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      },
      ...(device.platform === 'web' ? [] : [this.#addUse(device, device.endpointArn)]),
    ];
  }

  /** The writes that remove a device and release its SNS endpoint, if it has one. */
  remove(device: Device, release: ReleasedEndpoint | undefined): Write[] {
    const key = { TableName: this.#table, Key: keys.device(device) };
    if (device.platform === 'web')
      return [{ Delete: { ...key, ConditionExpression: 'attribute_exists(pk)' } }];
    return [
      {
        Delete: {
          ...key,
          ConditionExpression: 'device.endpointArn = :arn',
          ExpressionAttributeValues: { ':arn': device.endpointArn },
        },
      },
      ...(release ? this.#removeUse(device, release) : []),
    ];
  }

  /**
   * The write that replaces a user's history as it was read. Every change of the user's devices also writes the history, so
   * the condition on its version guards both.
   */
  saveHistory(user: User, read: VersionedHistory, history: PushHistory): Write {
    return putHistory(this.#table, user, read, history);
  }

  /** The write that deletes a user's history as it was read, when all of the user's data is removed. */
  removeHistory(user: User, read: VersionedHistory): Write {
    return deleteHistory(this.#table, user, read);
  }

  /**
   * Replaces the endpoint or push token of a device.
   *
   * @param before the device as it was read
   * @param release of the previous endpoint, if the endpoint changes
   * @throws {@link ConflictError} if the device was changed or removed since it was read
   */
  async replace(
    before: NativeDevice,
    after: NativeDevice,
    release: ReleasedEndpoint = newRelease(before.endpointArn),
  ): Promise<void> {
    const issuedAt = before.pushTokenIssuedAt;
    const counter = before.passkey?.counter;
    const put: Write = {
      Put: {
        TableName: this.#table,
        Item: { ...keys.device(after), device: after },
        ConditionExpression: `device.endpointArn = :arn AND device.pushToken = :token AND device.#name = :name AND ${
          issuedAt === undefined
            ? 'attribute_not_exists(device.pushTokenIssuedAt)'
            : 'device.pushTokenIssuedAt = :issuedAt'
        }${
          // An answer may have advanced it since the read.
          counter === undefined ? '' : ' AND device.passkey.#counter = :counter'
        }`,
        ExpressionAttributeNames: {
          '#name': 'name',
          ...(counter !== undefined && { '#counter': 'counter' }),
        },
        ExpressionAttributeValues: {
          ':name': before.name,
          ':arn': before.endpointArn,
          ':token': before.pushToken,
          ...(issuedAt !== undefined && { ':issuedAt': issuedAt }),
          ...(counter !== undefined && { ':counter': counter }),
        },
      },
    };
    const isMoved = before.endpointArn !== after.endpointArn;
    const uses = isMoved ? [...this.#removeUse(before, release), this.#addUse(after, after.endpointArn)] : [];
    try {
      await transact(this.#client, [put, ...uses]);
    } catch (error) {
      if (error instanceof ConditionsFailed) throw new ConflictError('the device changed', { cause: error });
      throw error;
    }
  }

  /**
   * Replaces the subscription of a web device, which also makes it active.
   *
   * @throws {@link ConflictError} if the device was removed, or a newer request was accepted, since it was read
   */
  async setSubscription(
    device: WebDevice,
    { subscription, issuedAt, now }: { subscription: Subscription; issuedAt: number; now: number },
  ): Promise<void> {
    const isWritten = await this.#update(device, {
      UpdateExpression:
        'SET device.subscription = :subscription, device.pushTokenIssuedAt = :issuedAt, device.#status = :active, ' +
        'device.lastSeenAt = :now',
      // It is equal if the answer of an earlier attempt was lost.
      ConditionExpression:
        'attribute_exists(pk) AND (attribute_not_exists(device.pushTokenIssuedAt) OR ' +
        'device.pushTokenIssuedAt < :issuedAt OR ' +
        '(device.pushTokenIssuedAt = :issuedAt AND device.subscription = :subscription))',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':subscription': subscription,
        ':issuedAt': issuedAt,
        ':active': 'active',
        ':now': now,
      },
    });
    if (!isWritten) throw new ConflictError('the device changed');
  }

  /** Deletes a subscription that its push service no longer knows, unless the device has another one since the read. */
  async forgetSubscription(device: WebDevice, { endpoint }: Subscription): Promise<void> {
    await this.#update(device, {
      UpdateExpression: 'SET device.#status = :status REMOVE device.subscription',
      ConditionExpression: 'device.subscription.endpoint = :endpoint',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':status': 'unreachable', ':endpoint': endpoint },
    });
  }

  /** Records an endpoint that may have no device, so that it is deleted later if no device uses it. */
  async release(endpointArn: string): Promise<void> {
    await transact(this.#client, [releaseWrite(this.#table, newRelease(endpointArn))]);
  }

  /** Whether any device uses the endpoint: several devices may have the same push token. */
  async isEndpointUsed(endpointArn: string): Promise<boolean> {
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'pk = :endpoint',
        ExpressionAttributeValues: { ':endpoint': endpointKey(endpointArn) },
        ConsistentRead: true,
        Limit: 1,
      }),
    );
    return Items.length > 0;
  }

  /** Records whether the push provider accepts the device's token, unless its endpoint has changed since the read. */
  async setStatus(device: NativeDevice, status: Device['status']): Promise<void> {
    await this.#update(device, {
      UpdateExpression: 'SET device.#status = :status',
      ConditionExpression: 'device.endpointArn = :arn',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':status': status, ':arn': device.endpointArn },
    });
  }

  /**
   * The write that records the use of a passkey that counts. It fails if an assertion with this or a higher counter was
   * accepted since the device was read.
   */
  advanceCounter(device: Device, counter: number): Write {
    return {
      Update: {
        TableName: this.#table,
        Key: keys.device(device),
        UpdateExpression: 'SET device.passkey.#counter = :counter',
        ConditionExpression: 'device.passkey.#counter < :counter',
        ExpressionAttributeNames: { '#counter': 'counter' },
        ExpressionAttributeValues: { ':counter': counter },
      },
    };
  }

  /** @returns false if the device was removed, or a newer name was accepted, since it was read */
  async rename(device: DeviceIdentity, name: string, issuedAt: number): Promise<boolean> {
    return await this.#update(device, {
      UpdateExpression: 'SET device.#name = :name, device.nameIssuedAt = :issuedAt',
      // It is equal if the answer of an earlier attempt was lost.
      ConditionExpression:
        'attribute_exists(pk) AND (attribute_not_exists(device.nameIssuedAt) OR device.nameIssuedAt <= :issuedAt)',
      ExpressionAttributeNames: { '#name': 'name' },
      ExpressionAttributeValues: { ':name': name, ':issuedAt': issuedAt },
    });
  }

  /** Makes it a device of a test user, which answers by itself. */
  async setTestKey(device: DeviceIdentity, testKey: string): Promise<void> {
    await this.#update(device, {
      UpdateExpression: 'SET device.testKey = :key',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':key': testKey },
    });
  }

  async setLastSeen(device: Device, now: number): Promise<void> {
    await this.#update(device, {
      UpdateExpression: 'SET device.lastSeenAt = :now',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':now': now },
    });
  }

  /** @returns false if the device was removed or changed meanwhile: nothing is written */
  async #update(
    device: DeviceIdentity,
    update: Omit<ConstructorParameters<typeof UpdateCommand>[0], 'TableName' | 'Key'>,
  ): Promise<boolean> {
    try {
      const command = new UpdateCommand({ TableName: this.#table, Key: keys.device(device), ...update });
      await withStoreErrors(async () => await this.#client.send(command));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  #addUse(device: DeviceIdentity, endpointArn: string): Write {
    return { Put: { TableName: this.#table, Item: keys.endpointUse(device, endpointArn) } };
  }

  /** One transaction, so that the endpoint is deleted even if this process ends before it can do so. */
  #removeUse(device: DeviceIdentity, release: ReleasedEndpoint): Write[] {
    return [
      { Delete: { TableName: this.#table, Key: keys.endpointUse(device, release.endpointArn) } },
      releaseWrite(this.#table, release),
    ];
  }
}
