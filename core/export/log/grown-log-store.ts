import { DeleteCommand, paginateQuery, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describeTarget, type TargetRef } from '../../events/target-ref.ts';
import { refIn } from './ref-text.ts';

const partition = 'grown';

/** Written with the first minute that is closed in an hour: the hour's checkpoint is due when it is over. */
export const grownKey = (ref: TargetRef, hour: string) => ({
  pk: partition,
  sk: `${hour}#${describeTarget(ref)}`,
});

export type GrownLog = { ref: TargetRef; hour: string };

/** The logs that have grown in an hour, so that the others cost nothing. */
export class GrownLogStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Those of hours before this one, oldest first. */
  async before(hour: string): Promise<GrownLog[]> {
    const found: GrownLog[] = [];
    const input = {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :grown AND sk < :hour',
      ExpressionAttributeValues: { ':grown': partition, ':hour': hour },
      ConsistentRead: true,
    };
    for await (const { Items = [] } of paginateQuery({ client: this.#client }, input))
      for (const item of Items) {
        const [first = '', ...rest] = String(item['sk']).split('#');
        const ref = refIn(rest);
        if (ref) found.push({ ref, hour: first });
      }
    return found;
  }

  async remove({ ref, hour }: GrownLog): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: grownKey(ref, hour) }));
  }
}
