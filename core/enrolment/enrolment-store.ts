import { GetCommand, PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { forgottenAt, type Enrolment } from './enrolment.ts';
import { describeDevice, type Device } from '../devices/device.ts';
import { calling, transact, type Item, type Write } from '../aws/dynamodb-client.ts';

const toEnrolment = (item: Item): Enrolment => item['enrolment'] as Enrolment;

/** Enrolments by their id, which is the hash of their one-time code. */
export class EnrolmentStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Idempotent.
   *
   * @param together writes of the same transaction
   * @throws {ConditionsFailed} of `together`; {@link ConflictError} when the caller must retry
   */
  async create(enrolment: Enrolment, together: Write[] = []): Promise<void> {
    const put = {
      TableName: this.#table,
      Item: {
        pk: enrolment.enrolmentId,
        enrolment,
        ttl: Math.ceil(forgottenAt(enrolment) / 1000),
      },
    };
    if (together.length > 0) await transact(this.#client, [{ Put: put }, ...together]);
    else await calling(async () => await this.#client.send(new PutCommand(put)));
  }

  /** One read. */
  async find(enrolmentId: string, now: number): Promise<Enrolment | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { pk: enrolmentId }, ConsistentRead: true }),
    );
    const enrolment = Item && toEnrolment(Item);
    return enrolment && forgottenAt(enrolment) > now ? enrolment : undefined;
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
