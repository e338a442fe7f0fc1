import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { TargetReadiness } from '../../../core/export/targets/target-readiness-store.ts';
import { TargetStore } from '../../../core/export/targets/target-store.ts';
import type { Destination } from '../../../core/export/kinds/records.ts';
import type { Target, TargetState } from '../../../core/export/targets/target.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import type { StackFile } from '../../../tools/local/client/local-stack.ts';
import { accessAs } from '../../../tools/local/seed/aws-access.ts';
import { markOwned } from '../../../tools/local/seed/ownership.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { eventually } from '../../support/waiting.ts';

/** The operator's register of targets, on a running stack: where each tenant's events go. */
export class Register {
  /** For what has no method here: `move` pauses and resumes. */
  readonly targets: TargetStore;
  readonly #readiness: TargetReadiness;

  constructor({ aws }: Pick<StackFile, 'aws'>) {
    const client = DynamoDBDocumentClient.from(new DynamoDBClient(accessAs('OPERATOR', aws, 'dynamodb')));
    this.targets = new TargetStore(client, localTables.tenants);
    this.#readiness = new TargetReadiness(client, localTables.tenants);
  }

  /** Registers a destination and takes trust in it for verified; resolves when events are delivered there. */
  async activate(ref: TargetRef, destination: Destination, types?: string[]): Promise<Target> {
    await this.register(ref, destination, types);
    return await this.reaches(ref, 'active');
  }

  /** The same, without waiting for a bucket's delivery stream. */
  async register(ref: TargetRef, destination: Destination, types?: string[]): Promise<void> {
    await this.targets.register(ref, destination, Date.now(), types);
    if (destination.kind === 'none') return;
    await markOwned(this.#readiness, await this.find(ref));
    await this.#readiness.verified({ ...ref, destination }, Date.now());
  }

  /** As if the owner had proven the bucket, and a test had passed. */
  async prove(ref: TargetRef): Promise<void> {
    const target = await this.find(ref);
    await this.#readiness.passed(target);
    await this.#readiness.verified(target, Date.now());
  }

  async find(ref: TargetRef): Promise<Target> {
    const target = await this.targets.find(ref);
    if (!target) throw new Error(`There is no target ${ref.tenantId} ${ref.category}`);
    return target;
  }

  /** The target, as soon as it is in this state; a wait that is too long throws, naming the state that it is in. */
  async reaches(ref: TargetRef, state: TargetState): Promise<Target> {
    return await this.becomes(ref, state, (target) => target.state === state);
  }

  async becomes(ref: TargetRef, what: string, isSo: (target: Target) => boolean): Promise<Target> {
    let target: Target;
    return await eventually(
      () => `the target is ${what}, but ${JSON.stringify(target)}`,
      async () => {
        target = await this.find(ref);
        return isSo(target) ? target : undefined;
      },
    );
  }
}
