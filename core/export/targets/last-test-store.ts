import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { assignIf } from '../../aws/conditional-writer.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import type { LastTest } from './target.ts';
import { targetKey } from './target-item.ts';

/** What a target's record says of its last test, until the test ends. {@link TargetReadiness} writes the outcome. */
export class LastTestStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** A test was asked for. Nothing is written if it has begun already, or without a target. */
  async asked(ref: TargetRef, { id, requestedAt }: Pick<LastTest, 'id' | 'requestedAt'>): Promise<void> {
    const lastTest: LastTest = { id, requestedAt, outcome: 'waiting' };
    await assignIf(this.#client, { table: this.#table, key: targetKey(ref) }, { set: { lastTest } }, [
      { condition: 'attribute_exists(pk)' },
      { condition: '(attribute_not_exists(lastTest) OR lastTest.id <> :id)', values: { id } },
    ]);
  }
}
