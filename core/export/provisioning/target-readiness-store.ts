import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { provisioningFaultPrefix, isProvisioningFault } from './provisioning-fault.ts';
import { transitions, type Fault, type Target } from '../targets/target.ts';
import { updateIf } from '../../aws/conditional-writer.ts';
import { readTarget, targetKey } from '../targets/target-store.ts';

/** A target as it was read: what is written holds for that destination alone. */
type Seen = Pick<Target, 'tenantId' | 'category' | 'destination'> & { fault?: Fault | undefined };

/**
 * What has to come together before a target is active: trust that was tested and, for a bucket, its delivery stream.
 * Whichever comes second moves it. Every write asks that the destination is still the one that it is about, and may be
 * repeated.
 */
export class TargetReadiness {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * The delivery stream is as the destination asks.
   *
   * @returns false if the target has another destination by now
   */
  async provisioned(seen: Seen, now: number): Promise<boolean> {
    const target = await this.#mark(seen, 'provisionedAt', now);
    if (!target) return false;
    if (isProvisioningFault(seen.fault)) await this.#mend(seen);
    await this.#activate(target, now);
    return true;
  }

  /**
   * Trust in the destination was tested just now, or once more.
   *
   * @returns false if the target has another destination by now
   */
  async verified(seen: Seen, now: number): Promise<boolean> {
    const target = await this.#mark(seen, 'verifiedAt', now);
    if (!target) return false;
    await this.#activate(target, now);
    return true;
  }

  /**
   * Says in the target's record why its delivery stream is not there. It stays in validation, which is where its
   * events wait; a target whose delivery stream was good once is left alone.
   */
  async faulted(seen: Seen, fault: Fault): Promise<void> {
    await updateIf(this.#client, {
      table: this.#table,
      key: targetKey(seen),
      update: 'SET fault = :fault',
      // Not what it says already: it would be written with every attempt.
      condition:
        'destination = :destination AND #state = :validating AND attribute_not_exists(provisionedAt) AND (attribute_not_exists(fault) OR fault <> :fault)',
      names: { '#state': 'state' },
      values: { destination: seen.destination, validating: 'validating', fault },
    });
  }

  /** What the target names cannot be its own: it is not provisioned, whatever its record says. */
  async withdrawn(seen: Seen, fault: Fault): Promise<void> {
    await updateIf(this.#client, {
      table: this.#table,
      key: targetKey(seen),
      update: 'SET fault = :fault REMOVE provisionedAt',
      condition:
        'destination = :destination AND #state = :validating AND (attribute_exists(provisionedAt) OR attribute_not_exists(fault) OR fault <> :fault)',
      names: { '#state': 'state' },
      values: { destination: seen.destination, validating: 'validating', fault },
    });
  }

  /** Trust is tested again and again, and the last time counts; a delivery stream is there since the first. */
  async #mark(seen: Seen, what: 'provisionedAt' | 'verifiedAt', now: number): Promise<Target | undefined> {
    const value = what === 'provisionedAt' ? 'if_not_exists(#what, :now)' : ':now';
    const { applied, item } = await updateIf(this.#client, {
      table: this.#table,
      key: targetKey(seen),
      update: `SET #what = ${value}`,
      condition: 'destination = :destination',
      names: { '#what': what },
      values: { destination: seen.destination, now },
    });
    return applied && item ? readTarget(item) : undefined;
  }

  async #mend(seen: Seen): Promise<void> {
    await updateIf(this.#client, {
      table: this.#table,
      key: targetKey(seen),
      update: 'REMOVE fault',
      condition: 'destination = :destination AND begins_with(fault.code, :provisioning)',
      names: {},
      values: { destination: seen.destination, provisioning: provisioningFaultPrefix },
    });
  }

  async #activate(target: Target, now: number): Promise<void> {
    const { from, to } = transitions.validate;
    const isBucket = target.destination.kind === 'bucket';
    if (target.state !== from[0]) return;
    await updateIf(this.#client, {
      table: this.#table,
      key: targetKey(target),
      update: 'SET #state = :to, stateSince = :now REMOVE fault',
      condition: `#state = :from AND destination = :destination AND attribute_exists(verifiedAt)${isBucket ? ' AND attribute_exists(provisionedAt)' : ''}`,
      names: { '#state': 'state' },
      values: { from: from[0], to, now, destination: target.destination },
    });
  }
}
