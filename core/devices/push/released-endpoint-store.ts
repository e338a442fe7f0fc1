import { randomUUID } from 'node:crypto';
import { QueryCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ConditionsFailed, transact, type Write } from '../../aws/dynamodb-client.ts';

/**
 * An SNS endpoint that a device has stopped using. If no other device uses it, it must be deleted, as it holds the
 * device's push token.
 */
export type ReleasedEndpoint = {
  endpointArn: string;
  /** Of this release: the endpoint may be used and released again. */
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

/** The write that goes with the one by which a device stops using the endpoint. It names no user. */
export const releaseWrite = (table: string, { endpointArn, ...release }: ReleasedEndpoint): Write => ({
  Put: { TableName: table, Item: { ...keyOf(endpointArn), ...release } },
});

/** Releases in the devices table. Each stays there until somebody has made sure that the endpoint is gone. */
export class ReleasedEndpointStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Unless the endpoint was released again meanwhile: that release is another one. */
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
      // A transaction of one write: the command is in these bundles already.
      await transact(this.#client, [write]);
    } catch (error) {
      if (!(error instanceof ConditionsFailed)) throw error;
    }
  }
}

/** All of them, a page at a time; a page may have none. */
export async function* listReleases(
  client: DynamoDBDocumentClient,
  table: string,
): AsyncGenerator<ReleasedEndpoint[]> {
  let after: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :released',
        ExpressionAttributeValues: { ':released': partition },
        ConsistentRead: true,
        ...(after && { ExclusiveStartKey: after }),
      }),
    );
    yield Items.map((item) => ({
      endpointArn: item['sk'] as string,
      releaseId: item['releaseId'] as string,
      releasedAt: item['releasedAt'] as number,
    }));
    after = LastEvaluatedKey;
  } while (after);
}
