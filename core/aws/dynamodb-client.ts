import {
  DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
  type AttributeValue,
} from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  TransactWriteCommand,
  type BatchGetCommandInput,
  type BatchWriteCommandInput,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { ConflictError } from '../kernel/conflict-error.ts';

export type { DynamoDBDocumentClient };

/** One slow call may not use up the time that the caller waits: API Gateway gives up after 30 s. */
const timeLimits = { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true };

export const documentClient = (): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({ maxAttempts: 3, requestHandler: new NodeHttpHandler(timeLimits) }),
    { marshallOptions: { removeUndefinedValues: true } },
  );

export type Item = Record<string, unknown>;

/** Errors carry items as the protocol has them; the document client converts only answers. */
export const unmarshallItem = (item: Record<string, AttributeValue>): Item => unmarshall(item);

/** The keys of a batch read by table, with its options. */
export type BatchGetRequests = NonNullable<BatchGetCommandInput['RequestItems']>;

/** The writes of a batch by table. */
export type BatchWriteRequests = NonNullable<BatchWriteCommandInput['RequestItems']>;
export type BatchWrites = BatchWriteRequests[string];

export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Conditions of the transaction did not hold. Nothing was written. */
export class ConditionsFailed extends Error {
  override readonly name = 'ConditionsFailed';
  /** By the write's position: the item as it is, where the write asked for it. */
  readonly refused: ReadonlyMap<number, Item>;

  constructor(refused: ReadonlyMap<number, Item>, cause: unknown) {
    super(`Conditions of writes ${[...refused.keys()].join(', ')} failed`, { cause });
    this.refused = refused;
  }
}

const transient = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** The call may have been carried out. When it is run again from its reads, it recognises its own write. */
const isAnswerLost = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || ('code' in error && error.code === 'ECONNRESET'));

function translate(error: unknown): unknown {
  if (error instanceof TransactionConflictException)
    return new ConflictError('met a transaction', { cause: error });
  if (isAnswerLost(error)) return new ConflictError('the answer was lost', { cause: error });
  if (!(error instanceof TransactionCanceledException)) return error;
  const reasons = error.CancellationReasons ?? [];
  const refused = reasons.flatMap(({ Code, Item }, position): [number, Item][] =>
    Code === 'ConditionalCheckFailed' ? [[position, Item ? unmarshallItem(Item) : {}]] : [],
  );
  if (refused.length > 0) return new ConditionsFailed(new Map(refused), error);
  return reasons.some(({ Code }) => transient.has(Code ?? ''))
    ? new ConflictError('transaction conflict', { cause: error })
    : error;
}

/**
 * Makes one call, with its errors in this service's terms.
 *
 * @throws {ConditionsFailed} {@link ConflictError}
 */
export async function withStoreErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw translate(error);
  }
}

/**
 * All writes or none.
 *
 * @throws {ConditionsFailed} {@link ConflictError}
 */
export async function transact(client: DynamoDBDocumentClient, writes: Write[]): Promise<void> {
  await withStoreErrors(async () => await client.send(new TransactWriteCommand({ TransactItems: writes })));
}
