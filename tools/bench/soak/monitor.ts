import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { isDrained, type Target } from '../../../core/export/targets/target.ts';
import { TargetStore } from '../../../core/export/targets/target-store.ts';
import { localTables } from '../../local/resources/tables.ts';
import { accessAs, type Aws } from '../../local/seed/aws-access.ts';

/** Milliseconds between two looks at the targets. */
const interval = 100;
/** Milliseconds. A call that hangs is given up after two seconds, and only then a target's record tells of it. */
const steady = 2_500;

const isRecovered = (target: Target): boolean => target.state === 'active' && isDrained(target);

/** Looks at the records of the soak's targets. */
export class Monitor {
  readonly #client: DynamoDBClient;
  readonly #targets: TargetStore;
  readonly #refs: readonly TargetRef[];

  constructor(aws: Aws, refs: readonly TargetRef[]) {
    this.#client = new DynamoDBClient(accessAs('SOAK', aws, 'dynamodb'));
    this.#targets = new TargetStore(DynamoDBDocumentClient.from(this.#client), localTables.tenants);
    this.#refs = refs;
  }

  /**
   * Waits until all targets are active, no event waits, and it stays so.
   *
   * @param patience milliseconds
   * @returns milliseconds until then, or nothing if they did not recover
   */
  async recovery(patience: number): Promise<number | undefined> {
    const begun = Date.now();
    let since: number | undefined;
    while ((since ?? Date.now()) - begun < patience) {
      const isWell = await this.#areRecovered();
      since = isWell ? (since ?? Date.now()) : undefined;
      if (since !== undefined && Date.now() - since >= steady) return since - begun;
      await wait(interval);
    }
    return undefined;
  }

  async #areRecovered(): Promise<boolean> {
    const { targets } = await this.#targets.load(this.#refs);
    return targets.size === this.#refs.length && [...targets.values()].every(isRecovered);
  }

  close(): void {
    this.#client.destroy();
  }
}
