import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isProvisioningFault } from '../provisioning/provisioning-fault.ts';
import { transitions, type Fault, type Ownership, type Target } from '../targets/target.ts';
import type { Consequence } from './verification-checks.ts';
import { updateIf } from '../../aws/conditional-writer.ts';
import { targetKey } from '../targets/target-store.ts';

export type Failure = { fault: Fault; consequence: Consequence; endsOwnership: boolean };

type Write = { update: string; condition: string; values: Record<string, unknown> };

/**
 * What tests of trust leave in a target's record. Every write asks that the target is as it was when it was tested, and
 * tells whether it was; what it writes may be written again.
 */
export class TargetVerification {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** A challenge is about to be written into the bucket; an earlier one is void. */
  async challenged(seen: Target, ownership: Ownership): Promise<boolean> {
    const before = seen.ownership;
    return await this.#write(seen, {
      update: 'SET ownership = :ownership',
      condition: before ? 'ownership = :before' : 'attribute_not_exists(ownership)',
      values: { ownership, ...(before && { before }) },
    });
  }

  /** The owner has read this challenge. */
  async proven(seen: Target, ownership: Ownership, now: number): Promise<boolean> {
    return await this.#write(seen, {
      update: 'SET ownership.provenAt = :now',
      condition: 'ownership.challengeHash = :hash',
      values: { now, hash: ownership.challengeHash },
    });
  }

  /** Nothing of what was found wrong holds any more. A parked target mends as its events are delivered. */
  async passed(seen: Target): Promise<boolean> {
    const { state, fault } = seen;
    if (!isAtRest(seen) || !fault || isProvisioningFault(fault)) return true;
    return await this.#write(seen, {
      update: 'REMOVE fault',
      condition: '#state = :state AND fault = :fault',
      values: { state, fault },
    });
  }

  /** Takes the place of what was to be known before, if anything was. */
  async warned(seen: Target, warning: string | undefined): Promise<boolean> {
    if (seen.warning === warning) return true;
    return await this.#write(seen, {
      update: warning === undefined ? 'REMOVE warning' : 'SET warning = :warning',
      condition: 'attribute_exists(pk)',
      values: { ...(warning !== undefined && { warning }) },
    });
  }

  /** What becomes of the target, and why. */
  async failed(seen: Target, failure: Failure, now: number): Promise<boolean> {
    const { fault, consequence, endsOwnership } = failure;
    const isTrusted = consequence === 'park' && !isAtRest(seen);
    const remove = [...(isTrusted ? [] : ['verifiedAt']), ...(endsOwnership ? ['ownership'] : [])];
    const remaining = remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : '';
    if (isAtRest(seen)) {
      return await this.#write(seen, {
        update: `SET fault = :fault${remaining}`,
        condition: '#state = :state',
        values: { state: seen.state, fault },
      });
    }
    const { from, to } = transitions[consequence];
    const froms = Object.fromEntries(from.map((state, index) => [`from${index}`, state]));
    return await this.#write(seen, {
      update: `SET #state = :to, stateSince = :since, fault = :fault${remaining}`,
      condition: `#state IN (:${Object.keys(froms).join(', :')})`,
      values: { ...froms, to, since: seen.state === to ? seen.stateSince : now, fault },
    });
  }

  async #write(seen: Target, { update, condition, values }: Write): Promise<boolean> {
    const { applied } = await updateIf(this.#client, {
      table: this.#table,
      key: targetKey(seen),
      update,
      condition: `destination = :destination AND ${condition}`,
      names: condition.includes('#state') ? { '#state': 'state' } : {},
      values: { ...values, destination: seen.destination },
    });
    return applied;
  }
}

/** No events flow: not yet, or because an operator paused it, who has it stay so. */
const isAtRest = ({ state }: Target): boolean => state === 'validating' || state === 'paused';
