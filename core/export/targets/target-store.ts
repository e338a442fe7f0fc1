import {
  BatchGetCommand,
  QueryCommand,
  type DynamoDBDocumentClient,
  paginateQuery,
  paginateScan,
} from '@aws-sdk/lib-dynamodb';
import { describeTarget, type TargetRef } from '../../events/target-ref.ts';
import { batchGet } from '../../aws/batch-get.ts';
import type { Item, Write } from '../../aws/dynamodb-client.ts';
import { assignIf, type Assignments, type Condition } from '../../aws/conditional-writer.ts';
import { allows, rowOf, variantsOf, type Expected, type Transition } from './state-machine.ts';
import { chunksOf } from '../../kernel/chunks.ts';
import { isPlace } from '../kinds/records.ts';
import { guardConditions, isIn } from './guard-conditions.ts';
import type { SealedSecret } from '../../outbound/sealed-secret.ts';
import type { Destination } from '../kinds/records.ts';
import type { Fault, Target, TargetState } from './target.ts';
import {
  readTarget,
  refOfKey,
  streamPrefix,
  targetKey,
  targetPartition,
  targetPrefix,
} from './target-item.ts';

/** The record exists, but cannot be read: an operator must correct it. */
export class MalformedTarget extends Error {
  override readonly name = 'MalformedTarget';
  override readonly message =
    "The target's record is malformed, probably edited by hand. Register the target again.";
}

/** Both by {@link describeTarget}. */
export type FoundTargets = { targets: Map<string, Target>; malformed: Set<string> };

/** What a transition writes besides the state, and what must hold besides its guards. */
export type TransitionDetails = Assignments & {
  fault?: Fault | undefined;
  conditions?: readonly Condition[];
  /** Writes of the same transaction. It does not return the target. */
  together?: readonly Write[];
};

type TargetKey = ReturnType<typeof targetKey>;

type Transitioned = { applied: boolean; current?: Target | undefined };

/** The most keys that a BatchGetItem call takes. */
const keysPerCall = 100;

/** Targets and their states: the tenants table. */
export class TargetStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Reads consistently: the order of events depends on it. All calls are made at once. */
  async load(refs: readonly TargetRef[]): Promise<FoundTargets> {
    const keys = [...new Map(refs.map((ref) => [describeTarget(ref), targetKey(ref)])).values()];
    const calls = chunksOf(keys, keysPerCall).map(async (its) => await this.#read(its));
    return foundIn((await Promise.all(calls)).flat());
  }

  /** @throws {MalformedTarget} */
  async find(ref: TargetRef): Promise<Target | undefined> {
    const { targets, malformed } = await this.load([ref]);
    if (malformed.size > 0) throw new MalformedTarget();
    return targets.get(describeTarget(ref));
  }

  /** The targets of a tenant, at most one for each category. One consistent read. */
  async ofTenant(tenantId: string): Promise<FoundTargets> {
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'pk = :tenant AND begins_with(sk, :target)',
        ExpressionAttributeValues: { ':tenant': targetPartition(tenantId), ':target': targetPrefix },
        ConsistentRead: true,
      }),
    );
    return foundIn(Items);
  }

  /** The streams of signals of a tenant, of all its clients. One consistent read, unless there are hundreds. */
  async streamsOf(tenantId: string): Promise<FoundTargets> {
    const input = {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :tenant AND begins_with(sk, :stream)',
      ExpressionAttributeValues: { ':tenant': targetPartition(tenantId), ':stream': streamPrefix },
      ConsistentRead: true,
    };
    const items: Item[] = [];
    for await (const { Items = [] } of paginateQuery({ client: this.#client }, input)) items.push(...Items);
    return foundIn(items);
  }

  /** All targets with a destination, of all tenants, one page of the table at a time. A page may be empty. */
  async *pages(): AsyncGenerator<TargetRef[]> {
    const input = {
      TableName: this.#table,
      ProjectionExpression: 'pk, sk',
      FilterExpression: 'begins_with(sk, :target) AND destination.kind <> :none',
      ExpressionAttributeValues: { ':target': 'target#', ':none': 'none' },
    };
    for await (const { Items = [] } of paginateScan({ client: this.#client }, input))
      yield Items.flatMap((item) => refOfKey(item) ?? []);
  }

  /**
   * Registers a target, or another destination of one. Its events wait until it is validated, and events that wait
   * already go to the new destination. The same destination again only sets the types and, while it is being validated,
   * has that tried again.
   *
   * @param types all if absent
   * @param webhookSecrets of a webhook: they stay as they are if its destination is the same
   */
  async register(
    ref: TargetRef,
    destination: Destination,
    now: number,
    types?: string[],
    webhookSecrets?: SealedSecret[],
  ): Promise<void> {
    const { tenantId, category } = ref;
    const expected = { tenantId, category, destination };
    const transition = isPlace(destination) ? 'register' : 'discard';
    const choice: Assignments = types ? { set: { types } } : { remove: ['types'] };
    const secrets: Assignments = webhookSecrets
      ? { set: { webhookSecrets } }
      : { remove: ['webhookSecrets'] };
    const record = {
      set: { ...choice.set, ...secrets.set, ...expected },
      remove: [...(choice.remove ?? []), ...(secrets.remove ?? [])],
      setIfAbsent: emptyLanes,
    };
    if (await this.transition(expected, transition, now, record)) return;
    if (await this.transition(expected, 'retry', now, choice)) return;
    // A bucket's delivery stream is compared with what it should be, and created again if it is gone.
    const again = { ...choice, remove: [...(choice.remove ?? []), 'provisionedAt'] };
    const { applied } = await this.#write(expected, again, [
      guardConditions.sameDestination(expected),
      {
        condition: 'NOT #state = :validating',
        names: { '#state': 'state' },
        values: { validating: 'validating' },
      },
    ]);
    // A concurrent registration came between these writes; one of them fits what is there now.
    if (!applied) await this.register(ref, destination, now, types, webhookSecrets);
  }

  /** @returns false if the webhook or its secrets changed since they were read */
  async replaceWebhookSecrets(seen: Target, webhookSecrets: SealedSecret[]): Promise<boolean> {
    const before = seen.webhookSecrets;
    const isSame: Condition = before
      ? { condition: 'webhookSecrets = :before', values: { before } }
      : { condition: 'attribute_not_exists(webhookSecrets)' };
    const written = await this.#write(seen, { set: { webhookSecrets } }, [
      guardConditions.sameDestination(seen),
      isSame,
    ]);
    return written.applied;
  }

  /**
   * Makes a transition of the state machine, in one write.
   *
   * @returns false if the row or its guards do not allow it
   */
  async transition(
    expected: TargetRef & Expected,
    transition: Transition,
    now: number,
    details: TransitionDetails = {},
  ): Promise<boolean> {
    return (await this.move(expected, transition, now, details)).applied;
  }

  /** Makes a transition, too, and returns the target as it is afterwards. */
  async move(
    expected: TargetRef & Expected,
    transition: Transition,
    now: number,
    details: TransitionDetails = {},
  ): Promise<Transitioned> {
    const variants = variantsOf(transition).toSorted(
      (a, b) => Number(isFrom(b, expected.state)) - Number(isFrom(a, expected.state)),
    );
    let result: Transitioned = { applied: false };
    for (const variant of variants) {
      result = await this.#make(expected, transition, variant.since === 'now' ? now : undefined, {
        ...details,
        from: variant.from,
      });
      // The other variant is for a target in another state than the one that was read.
      if (result.applied || !result.current || !allows(transition, result.current, expected)) break;
    }
    return result;
  }

  /** Makes the transition `queue`, for an active target in which something waits. */
  async queue(target: Target, now: number): Promise<boolean> {
    return await this.#first(['queue'], target, now);
  }

  /** A target in validation gets events now that all is proven: at once, or behind those that wait. */
  async activate(target: Target, now: number): Promise<boolean> {
    return await this.#first(['validate', 'release'], target, now);
  }

  /**
   * Makes the transition `drain`, for a target in which nothing waits.
   *
   * @returns false if something was parked since the target was read, and waits
   */
  async drain(target: Target, now: number): Promise<boolean> {
    return await this.#first(['drain'], target, now);
  }

  /** What Firehose had is in the bucket: a target that gets events is active, unless others wait. */
  async drainOrRecover(target: Target, now: number): Promise<boolean> {
    return await this.#first(['drain', 'recover'], target, now);
  }

  /** Makes the transition that fits, also where a watermark was written since the target was read. */
  async #first(names: readonly Transition[], target: Target, now: number): Promise<boolean> {
    let seen: Target | undefined = target;
    while (seen) {
      const fitting: Target = seen;
      const name = names.find((one) => allows(one, fitting, fitting));
      if (!name) return false;
      const { applied, current } = await this.move(fitting, name, now);
      if (applied) return true;
      seen = current;
    }
    return false;
  }

  async #read(keys: readonly TargetKey[]): Promise<Item[]> {
    if (keys.length === 0) return [];
    const answer = await batchGet(
      async (RequestItems) => await this.#client.send(new BatchGetCommand({ RequestItems })),
      { [this.#table]: { Keys: [...keys], ConsistentRead: true } },
    );
    return answer.get(this.#table) ?? [];
  }

  /** @param stateSince nothing to keep it */
  async #make(
    expected: TargetRef & Expected,
    transition: Transition,
    stateSince: number | undefined,
    details: TransitionDetails & { from: Variant['from'] },
  ): Promise<Transitioned> {
    const { from, fault, set, setIfAbsent = {}, remove = [], conditions = [], together = [] } = details;
    const { to, guards: names, removes = [], resets } = rowOf(transition);
    const time = stateSince === undefined ? {} : { stateSince };
    return await this.#write(
      expected,
      {
        set: { ...set, ...resets, state: to, ...time, ...(fault && { fault }) },
        setIfAbsent,
        remove: [...remove, ...removes, ...(fault ? [] : ['fault'])],
      },
      [
        ...(from === 'any' ? [] : [isIn(from)]),
        ...names.map((name) => guardConditions[name](expected)),
        ...conditions,
      ],
      together,
    );
  }

  async #write(
    ref: TargetRef,
    assignments: Assignments,
    conditions: readonly Condition[],
    together: readonly Write[] = [],
  ): Promise<Transitioned> {
    const item = { table: this.#table, key: targetKey(ref), together };
    const written = await assignIf(this.#client, item, assignments, conditions);
    return { applied: written.applied, current: written.item && readTarget(written.item) };
  }
}

type Variant = ReturnType<typeof variantsOf>[number];

const isFrom = ({ from }: Variant, state: TargetState | undefined): boolean =>
  from === 'any' || (state !== undefined && from.includes(state));

function foundIn(items: readonly Item[]): FoundTargets {
  const found: FoundTargets = { targets: new Map(), malformed: new Set() };
  for (const item of items) {
    const [ref, target] = [refOfKey(item), readTarget(item)];
    if (ref && target) found.targets.set(describeTarget(ref), target);
    else if (ref) found.malformed.add(describeTarget(ref));
  }
  return found;
}

/** Nested attributes can be written only where the maps around them exist. */
const emptyLanes = { parkedThrough: {}, drainedThrough: {}, waitingSince: {} };
