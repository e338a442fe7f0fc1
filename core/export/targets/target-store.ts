import { setTimeout } from 'node:timers/promises';
import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import {
  target as schema,
  isDrained,
  transitions,
  type Destination,
  type Fault,
  type Target,
  type Transition,
} from './target.ts';
import { describeTarget, type TargetRef } from '../../events/target-ref.ts';
import { updateIf } from '../../aws/conditional-writer.ts';
import type { Item } from '../../aws/dynamodb-client.ts';
import { registerTarget } from './target-registration-writer.ts';

export const targetKey = ({ tenantId, category }: TargetRef) => ({
  pk: `tenant#${tenantId}`,
  sk: `target#${category}`,
});

/** `undefined` where the item does not make sense. */
export const readTarget = (item: Item): Target | undefined => {
  const result = v.safeParse(schema, item);
  return result.success ? result.output : undefined;
};

/** Somebody edited the record by hand, and has to mend it: that it makes no sense is not the same as that there is none. */
export class MalformedTarget extends Error {
  override readonly name = 'MalformedTarget';
  override readonly message =
    "The target's record makes no sense: it was edited by hand. Register the target again.";
}

/** Both by {@link describeTarget}. */
export type FoundTargets = { targets: Map<string, Target>; malformed: Set<string> };

const afterPrefix = (key: unknown): string => String(key).split('#')[1] ?? '';

const keysOfACall = 100;
/** Milliseconds, before keys are asked for again that the table was too busy for. */
const longestWait = 100;

/** Targets and their states: the tenants table. */
export class TargetStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Reads what was written last: the order of events hangs on it. */
  async load(refs: readonly TargetRef[]): Promise<FoundTargets> {
    const found: FoundTargets = { targets: new Map(), malformed: new Set() };
    let keys = [...new Map(refs.map((ref) => [describeTarget(ref), targetKey(ref)])).values()];
    while (keys.length > 0) {
      const request = { Keys: keys.slice(0, keysOfACall), ConsistentRead: true };
      const { Responses, UnprocessedKeys } = await this.#client.send(
        new BatchGetCommand({ RequestItems: { [this.#table]: request } }),
      );
      for (const item of Responses?.[this.#table] ?? []) {
        const name = `${afterPrefix(item['pk'])}#${afterPrefix(item['sk'])}`;
        const target = readTarget(item);
        if (target) found.targets.set(name, target);
        else found.malformed.add(name);
      }
      const left = (UnprocessedKeys?.[this.#table]?.Keys ?? []) as typeof keys;
      if (left.length > 0) await setTimeout(Math.random() * longestWait);
      keys = [...left, ...keys.slice(keysOfACall)];
    }
    return found;
  }

  /** @throws {MalformedTarget} */
  async find(ref: TargetRef): Promise<Target | undefined> {
    const { targets, malformed } = await this.load([ref]);
    if (malformed.size > 0) throw new MalformedTarget();
    return targets.get(describeTarget(ref));
  }

  /**
   * A new target, or another destination of one. Its events wait until it is validated; what waits already goes to the
   * new destination, too. The same destination again changes nothing, but that what is in validation is tried again.
   */
  async register(ref: TargetRef, destination: Destination, now: number, types?: string[]): Promise<void> {
    const item = { table: this.#table, key: targetKey(ref) };
    await registerTarget(this.#client, item, { ref, destination, now, types });
  }

  /**
   * One row of the state machine, if the target is where that row begins; to events only if it is trusted, which a test
   * may have ended while it was paused.
   *
   * @returns whether it moved
   */
  async move(target: Target, transition: Transition, now: number, fault?: Fault): Promise<boolean> {
    const { from, to } = transitions[transition];
    const froms = Object.fromEntries(from.map((state, index) => [`from${index}`, state]));
    const { applied } = await updateIf(this.#client, {
      table: this.#table,
      key: targetKey(target),
      update: `SET #state = :to, stateSince = :since${fault ? ', fault = :fault' : ' REMOVE fault'}`,
      condition: `#state IN (:${Object.keys(froms).join(', :')})${transition === 'resume' ? ' AND attribute_exists(verifiedAt)' : ''}`,
      names: { '#state': 'state' },
      values: {
        ...froms,
        to,
        since: target.state === to ? target.stateSince : now,
        ...(fault && { fault }),
      },
    });
    return applied;
  }

  /**
   * `drain`, for a target in which nothing waits.
   *
   * @returns false if something was parked since it was read, and waits
   */
  async drained(target: Target, now: number): Promise<boolean> {
    const { from, to } = transitions.drain;
    const froms = Object.fromEntries(from.map((state, index) => [`from${index}`, state]));
    const { applied, item } = await updateIf(this.#client, {
      table: this.#table,
      key: targetKey(target),
      update:
        'SET #state = :to, stateSince = :since, parkedCount = :zero, waitingSince = :nothing REMOVE fault',
      condition: `#state IN (:${Object.keys(froms).join(', :')}) AND parkedThrough = :parkedThrough`,
      names: { '#state': 'state' },
      values: {
        ...froms,
        to,
        since: target.state === to ? target.stateSince : now,
        zero: 0,
        nothing: {},
        parkedThrough: target.parkedThrough,
      },
    });
    const current = item && readTarget(item);
    // Its place was written late, and it was delivered before: nothing else may come that would look again.
    const isLate = !applied && current && isDrained(current) && from.some((state) => state === current.state);
    return isLate ? await this.drained(current, now) : applied;
  }
}
