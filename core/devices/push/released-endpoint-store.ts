import { randomUUID } from 'node:crypto';
import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { ConditionsFailed, transact, type Write } from '../../aws/dynamodb-client.ts';

/**
 * An SNS endpoint that a device has stopped using. If no other device uses it, it must be deleted, because it contains the
 * device's push token.
 */
export type ReleasedEndpoint = {
  endpointArn: string;
  /** Identifies this release: the endpoint may be used and released again. */
  releaseId: string;
  /** Milliseconds since 1970. */
  releasedAt: number;
};

const partition = 'released-endpoints';
const keyOf = (endpointArn: string) => ({ pk: partition, sk: endpointArn });

export const newRelease = (endpointArn: string): ReleasedEndpoint => ({
  endpointArn,
  releaseId: randomUUID(),
  releasedAt: Date.now(),
});

/** Part of the transaction in which a device stops using the endpoint. It does not identify the user. */
export const releaseWrite = (table: string, { endpointArn, ...release }: ReleasedEndpoint): Write => ({
  Put: { TableName: table, Item: { ...keyOf(endpointArn), ...release } },
});

/** Releases in the devices table. Each remains until its endpoint is deleted or used again. */
export class ReleasedEndpointStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Does nothing if the endpoint was released again meanwhile, which is another release. */
  async forget({ endpointArn, releaseId }: ReleasedEndpoint): Promise<void> {
    const write: Write = {
      Delete: {
        TableName: this.#table,
        Key: keyOf(endpointArn),
        ConditionExpression: 'releaseId = :read',
        ExpressionAttributeValues: { ':read': releaseId },
      },
    };
    try {
      // A transaction, because these bundles already contain its command.
      await transact(this.#client, [write]);
    } catch (error) {
      if (!(error instanceof ConditionsFailed)) throw error;
    }
  }
}

/** All releases, page by page. A page may be empty. */
export async function* listReleases(
  client: DynamoDBDocumentClient,
  table: string,
): AsyncGenerator<ReleasedEndpoint[]> {
  const input = {
    TableName: table,
    KeyConditionExpression: 'pk = :released',
    ExpressionAttributeValues: { ':released': partition },
    ConsistentRead: true,
  };
  for await (const { Items = [] } of paginateQuery({ client }, input))
    yield Items.map((item) => ({
      endpointArn: item['sk'] as string,
      releaseId: item['releaseId'] as string,
      releasedAt: item['releasedAt'] as number,
    }));
}
