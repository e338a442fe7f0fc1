import { BatchWriteCommand, GetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { forgottenAt, statusAt, type Enrolment, type EnrolmentStatus } from './enrolment.ts';
import { describeDevice, type Device, type User } from '../devices/device.ts';
import { withStoreErrors, transact, type Item, type Write } from '../aws/dynamodb-client.ts';
import { ConflictError } from '../kernel/conflict-error.ts';

const toEnrolment = (item: Item): Enrolment => item['enrolment'] as Enrolment;

/** The item that names the user's latest enrolment: only its code can be used. */
export const latestKey = ({ tenantId, userId }: User) => ({ pk: `latest#${tenantId}#${userId}` });

/** Enrolments by their id, which is the hash of their one-time code, and which one is the latest of a user. */
export class EnrolmentStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Ends the user's codes before it. Idempotent. Without other writes it is no transaction, which would cost twice as much: if
   * only one item gets written, nobody gets the code.
   *
   * @param together writes of the same transaction
   * @throws {ConditionsFailed} of `together`; {@link ConflictError} when the caller must retry
   */
  async create(enrolment: Enrolment, together: Write[] = []): Promise<void> {
    const ttl = Math.ceil(forgottenAt(enrolment) / 1000);
    const items = [
      { pk: enrolment.enrolmentId, enrolment, ttl },
      { ...latestKey(enrolment), latest: enrolment.enrolmentId, ttl },
    ];
    if (together.length === 0) await this.#put(items);
    else {
      const puts = items.map((Item) => ({ Put: { TableName: this.#table, Item } }));
      await transact(this.#client, [...puts, ...together]);
    }
  }

  async #put(items: Item[]): Promise<void> {
    const RequestItems = { [this.#table]: items.map((Item) => ({ PutRequest: { Item } })) };
    const { UnprocessedItems = {} } = await withStoreErrors(
      async () => await this.#client.send(new BatchWriteCommand({ RequestItems })),
    );
    if (Object.keys(UnprocessedItems).length > 0) throw new ConflictError('unprocessed items');
  }

  /** One read. */
  async find(enrolmentId: string, now: number): Promise<Enrolment | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { pk: enrolmentId }, ConsistentRead: true }),
    );
    const enrolment = Item && toEnrolment(Item);
    return enrolment && forgottenAt(enrolment) > now ? enrolment : undefined;
  }

  /** One read while the code waits, and none afterwards. */
  async statusOf(enrolment: Enrolment, now: number): Promise<EnrolmentStatus> {
    const status = statusAt(enrolment, now);
    if (status !== 'waiting') return status;
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: latestKey(enrolment), ConsistentRead: true }),
    );
    return Item?.['latest'] === enrolment.enrolmentId ? status : 'expired';
  }

  /** The write that redeems the code. It can succeed only once. */
  complete(enrolmentId: string, device: Device): Write {
    const { key, receipt } = device;
    return {
      Update: {
        TableName: this.#table,
        Key: { pk: enrolmentId },
        UpdateExpression: 'SET enrolment.completed = :completed',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(enrolment.completed)',
        ExpressionAttributeValues: { ':completed': { device: describeDevice(device), key, receipt } },
      },
    };
  }
}
