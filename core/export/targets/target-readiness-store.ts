import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { assignIf, type Assignments, type Condition } from '../../aws/conditional-writer.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import {
  isProvisioningFault,
  provisioningFaultPrefix,
  type Fault,
  type LastTest,
  type Ownership,
  type Target,
  type TargetState,
} from './target.ts';
import { propertiesOf } from '../kinds/records.ts';
import { guardConditions } from './guard-conditions.ts';
import { isLatest } from './last-test-store.ts';
import { readTarget, targetKey } from './target-item.ts';
import { TargetStore } from './target-store.ts';

/** A target as it was read: what is written holds only for that destination. */
type Seen = TargetRef & Pick<Target, 'destination'> & Partial<Pick<Target, 'fault' | 'testFault'>>;

export type FailedTest = {
  fault: Fault;
  /** The transition of a target that gets events. */
  consequence: 'park' | 'revoke';
  /** The bucket is not the one whose ownership was proven. */
  endsOwnership: boolean;
  test: LastTest;
};

/**
 * What must be proven before a target becomes active: trust in the destination and, for a bucket, its delivery stream.
 * Whichever is proven second activates the target.
 *
 * Every write requires that the destination is still the one that was read, may be repeated, and returns whether it was
 * made.
 */
export class TargetReadiness {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #targets: TargetStore;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#targets = new TargetStore(client, table);
  }

  /** The delivery stream is as the destination asks. The first time counts. */
  async provisioned(seen: Seen, now: number, bufferSeconds?: number): Promise<boolean> {
    const set = bufferSeconds === undefined ? {} : { bufferSeconds };
    const target = await this.#prove(seen, { set, setIfAbsent: { provisionedAt: now } });
    if (!target) return false;
    if (isProvisioningFault(seen.fault)) await this.#removeProvisioningFault(seen);
    await this.#activate(target, now);
    return true;
  }

  /** Trust in the destination was tested now. The last time counts. */
  async verified(seen: Seen, now: number, test?: LastTest): Promise<boolean> {
    const set = { verifiedAt: now, ...(test && { lastTest: test }) };
    const target = await this.#prove(seen, { set, remove: ['testFault'] }, test ? [isLatest(test)] : []);
    if (!target) return false;
    await this.#activate(target, now);
    // A target without waiting events has no delivery that would show that it is well again.
    if (isRefuted(target, seen)) await this.#targets.drainOrRecover(target, now);
    return true;
  }

  /**
   * Records why the delivery stream of a target in validation is not there. A target whose delivery stream was there once
   * stays as it is.
   */
  async notProvisioned(seen: Seen, fault: Fault): Promise<void> {
    await this.#write(seen, { set: { fault } }, [
      hasState('validating'),
      { condition: 'attribute_not_exists(provisionedAt)' },
      // Each attempt would write the same fault again.
      { condition: '(attribute_not_exists(fault) OR fault <> :fault)', values: { fault } },
    ]);
  }

  /** The target names a delivery stream or role that is not its own: it counts as not provisioned. */
  async refused(seen: Seen, fault: Fault): Promise<void> {
    await this.#write(seen, { set: { fault }, remove: ['provisionedAt'] }, [
      hasState('validating'),
      {
        condition: '(attribute_exists(provisionedAt) OR attribute_not_exists(fault) OR fault <> :fault)',
        values: { fault },
      },
    ]);
  }

  /** A challenge is about to be written into the bucket. It replaces the challenge that was read. */
  async challenged(seen: Target, ownership: Ownership): Promise<boolean> {
    const before = seen.ownership;
    return await this.#write(seen, { set: { ownership } }, [
      before
        ? { condition: 'ownership = :before', values: { before } }
        : { condition: 'attribute_not_exists(ownership)' },
    ]);
  }

  /** The owner has read this challenge. */
  async proven(seen: Target, ownership: Ownership, now: number): Promise<boolean> {
    return await this.#write(seen, { set: { ownership: { ...ownership, provenAt: now } } }, [
      { condition: 'ownership.challengeHash = :hash', values: { hash: ownership.challengeHash } },
    ]);
  }

  /** Removes the fault of an earlier test from a target at rest. */
  async passed(seen: Target): Promise<boolean> {
    const { state, fault } = seen;
    if (!isAtRest(seen) || !fault || isProvisioningFault(fault)) return true;
    return await this.#write(seen, { remove: ['fault'] }, [
      hasState(state),
      { condition: 'fault = :fault', values: { fault } },
    ]);
  }

  /** Replaces the previous warning. */
  async warned(seen: Target, warning: string | undefined): Promise<boolean> {
    if (seen.warning === warning) return true;
    return await this.#write(seen, warning === undefined ? { remove: ['warning'] } : { set: { warning } });
  }

  /** A target that gets events is parked, or loses its trust. Another one stays in its state, without its trust. */
  async failed(seen: Target, failure: FailedTest, now: number): Promise<boolean> {
    const { fault, consequence, endsOwnership, test } = failure;
    const found = { testFault: fault, lastTest: test };
    const remove = endsOwnership ? ['ownership'] : [];
    const conditions = [isLatest(test)];
    const inState = [hasState(seen.state), ...conditions];
    if (isAtRest(seen)) {
      const written = { set: { fault, ...found }, remove: ['verifiedAt', ...remove] };
      return await this.#write(seen, written, inState);
    }
    if (isKnown(seen, failure)) return await this.#write(seen, { set: found }, inState);
    return await this.#targets.transition(seen, consequence, now, { fault, set: found, remove, conditions });
  }

  async #prove(
    seen: Seen,
    proof: Assignments,
    conditions: readonly Condition[] = [],
  ): Promise<Target | undefined> {
    const { applied, item } = await this.#update(seen, proof, conditions);
    return applied && item ? readTarget(item) : undefined;
  }

  async #removeProvisioningFault(seen: Seen): Promise<void> {
    await this.#write(seen, { remove: ['fault'] }, [
      { condition: 'begins_with(fault.code, :prefix)', values: { prefix: provisioningFaultPrefix } },
    ]);
  }

  /** Saves the write where the target, as just written, is not being validated. */
  async #activate(target: Target, now: number): Promise<void> {
    if (target.state === 'validating') await this.#targets.activate(target, now);
  }

  async #write(
    seen: Seen,
    assignments: Assignments,
    conditions: readonly Condition[] = [],
  ): Promise<boolean> {
    return (await this.#update(seen, assignments, conditions)).applied;
  }

  async #update(
    seen: Seen,
    assignments: Assignments,
    conditions: readonly Condition[] = [],
  ): ReturnType<typeof assignIf> {
    const item = { table: this.#table, key: targetKey(seen) };
    return await assignIf(this.#client, item, assignments, [
      guardConditions.sameDestination(seen),
      ...conditions,
    ]);
  }
}

const hasState = (state: TargetState): Condition => ({
  condition: '#state = :state',
  names: { '#state': 'state' },
  values: { state },
});

/**
 * True if a test that passed shows that the fault is gone. The test of a bucket says nothing about its delivery stream.
 *
 * @param seen as it was before the test
 */
const isRefuted = ({ state, fault, destination }: Target, seen: Seen): boolean =>
  (state === 'parked' && (!propertiesOf(destination).isBuffered || fault?.foundAt !== undefined)) ||
  (state === 'degraded' && seen.testFault !== undefined);

/** Events are delivered in spite of this fault, through access that was granted before. */
const isKnown = ({ state, testFault }: Target, { fault, consequence }: FailedTest): boolean =>
  state === 'degraded' && consequence === 'park' && testFault?.code === fault.code;

/** No events flow: the target is not trusted yet, or an operator paused it. */
const isAtRest = ({ state }: Target): boolean => state === 'validating' || state === 'paused';
