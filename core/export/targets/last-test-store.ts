import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { assignIf, type Condition, type Written } from '../../aws/conditional-writer.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import type { LastTest, Target } from './target.ts';
import { guardConditions } from './guard-conditions.ts';
import { readTarget, targetKey } from './target-item.ts';

type Seen = TargetRef & Pick<Target, 'destination'>;

const isSame = guardConditions.sameDestination;

/** If several tests run at the same time, the one that began last decides: an earlier one may have looked before a change. */
export const isLatest = ({ id }: LastTest): Condition => ({
  condition: 'lastTest.id = :id',
  values: { id },
});

/** What a target's record says of its last test, until the test ends. {@link TargetReadiness} writes the outcome. */
export class LastTestStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * A test was asked for. Nothing is written if it has begun already, or without a target.
   *
   * @returns the target as it is afterwards
   */
  async asked(
    ref: TargetRef,
    test: Pick<LastTest, 'id' | 'event' | 'requestedAt'>,
  ): Promise<Target | undefined> {
    const { item } = await this.#write(ref, { ...test, outcome: 'waiting' }, [
      { condition: 'attribute_exists(pk)' },
      { condition: '(attribute_not_exists(lastTest) OR lastTest.id <> :id)', values: { id: test.id } },
    ]);
    return item && readTarget(item);
  }

  /** @returns false if the destination is no longer the one that was read */
  async begun(seen: Seen, test: LastTest): Promise<boolean> {
    return (await this.#write(seen, test, [isSame(seen)])).applied;
  }

  /** The test could not be made. */
  async postponed(seen: Seen, test: LastTest): Promise<void> {
    await this.#write(seen, test, [isSame(seen), isLatest(test)]);
  }

  async #write(ref: TargetRef, lastTest: LastTest, conditions: readonly Condition[]): Promise<Written> {
    const item = { table: this.#table, key: targetKey(ref) };
    return await assignIf(this.#client, item, { set: { lastTest } }, conditions);
  }
}
