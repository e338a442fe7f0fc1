/** Two tenants on one stack: what befalls the subject's target must not be felt at the neighbour's. */
import { afterAll, beforeAll } from '@jest/globals';
import type { BucketDestination } from '../../../core/export/kinds/bucket/record.ts';
import type { Destination } from '../../../core/export/kinds/records.ts';
import type { StreamDestination } from '../../../core/export/kinds/stream/record.ts';
import type { Target } from '../../../core/export/targets/target.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import type { TestStack } from '../../support/stack.ts';
import { Register } from '../export/register.ts';
import { TenantAccount } from '../export/targets.ts';
import { Arrivals, expectOrder } from './arrivals.ts';
import { isActive } from './is-active.ts';
import { newKeys, recordRounds, type Recorded, type Source } from './recorded.ts';

/** A target with what has come there. */
export type Watched<Where extends Destination = StreamDestination> = Source & {
  destination: Where;
  arrivals: Arrivals;
};

export class Scene {
  readonly stack: TestStack;
  #register: Register | undefined;
  #account: TenantAccount | undefined;
  #neighbour: Watched | undefined;
  readonly #watched: Arrivals[] = [];

  constructor(stack: TestStack) {
    this.stack = stack;
  }

  get register(): Register {
    return (this.#register ??= new Register(this.stack.file));
  }

  get account(): TenantAccount {
    return (this.#account ??= new TenantAccount(this.stack.file));
  }

  get neighbour(): Watched {
    if (!this.#neighbour) throw new Error('The neighbour is not there yet');
    return this.#neighbour;
  }

  async open(): Promise<void> {
    const [, { tenantId }] = this.stack.file.tenants;
    const ref: TargetRef = { tenantId, category: 'log' };
    const source = { ...ref, website: this.stack.neighbour };
    this.#neighbour = await this.#stream(source, await this.#makeStream());
  }

  close(): void {
    for (const arrivals of this.#watched) arrivals.close();
  }

  /** The demo tenant's public events. */
  get source(): Source {
    const [{ tenantId }] = this.stack.file.tenants;
    return { website: this.stack.website, tenantId, category: 'public' };
  }

  /** A new stream of the subject's, with nothing in it. */
  async newStream(source = this.source): Promise<Watched> {
    return await this.#stream(source, { ...(await this.#makeStream()), lanes: 4 });
  }

  /** A new bucket of the subject's. */
  async newBucket(): Promise<Watched<BucketDestination>> {
    const ref = refOf(this.source);
    const destination = await this.account.makeBucket(ref);
    await this.register.activate(ref, destination);
    return {
      ...this.source,
      destination,
      arrivals: this.watch(Arrivals.ofBucket(this.stack.file, destination)),
    };
  }

  /** Closed at the end. */
  watch(arrivals: Arrivals): Arrivals {
    this.#watched.push(arrivals);
    return arrivals;
  }

  /** The neighbour gets everything, in order, while something is wrong with the subject. */
  async neighbourIsWell(): Promise<void> {
    const recorded = await recordRounds(this.neighbour, newKeys(4), 2);
    await this.arrived(this.neighbour, recorded);
  }

  async arrived({ arrivals }: Pick<Watched, 'arrivals'>, recorded: Recorded): Promise<void> {
    await arrivals.include(recorded);
    expectOrder(arrivals, recorded);
  }

  /** Nothing waits for the subject any more, and it is well; one that was slow shows so with its next event. */
  async isWell(source: Source): Promise<Target> {
    const ref = refOf(source);
    for (;;) {
      const target = await this.register.becomes(
        ref,
        'well',
        (found) => isActive(found) && found.parkedCount === 0,
      );
      if (target.state === 'active') return target;
      await recordRounds(source, newKeys(1), 1);
      await this.register.becomes(
        ref,
        'asked once more',
        (found) => found.deliveredCount > target.deliveredCount,
      );
    }
  }

  /** An account has room for ten streams on demand. */
  async #makeStream(): Promise<StreamDestination> {
    return await this.account.makeStream({ shards: 2 });
  }

  async #stream(source: Source, destination: StreamDestination): Promise<Watched> {
    await this.register.activate(refOf(source), destination);
    const arrivals = this.watch(await Arrivals.ofStream(this.stack.file, destination));
    return { ...source, destination, arrivals };
  }
}

export function useScene(stack: TestStack): Scene {
  const scene = new Scene(stack);
  beforeAll(async () => await scene.open());
  afterAll(() => scene.close());
  return scene;
}

export const refOf = ({ tenantId, category }: TargetRef): TargetRef => ({ tenantId, category });

export const streamNameOf = ({ streamArn }: StreamDestination): string =>
  streamArn.slice(streamArn.lastIndexOf('/') + 1);
