import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { CatchUpAttempts } from '../../core/export/delivery/catch-up-attempts.ts';
import { LaneWatermarks } from '../../core/export/delivery/lane-watermark-store.ts';
import { MessageProgress } from '../../core/export/delivery/message-progress.ts';
import { ParkingQueue } from '../../core/export/delivery/parking-queue.ts';
import { UnansweredTargets } from '../../core/export/delivery/unanswered-targets.ts';
import { HandledEvents } from '../../core/export/delivery/handled-events.ts';
import type { RedeliveryDeps } from '../../core/export/delivery/redeliver-lane.ts';
import type { Delivery } from '../../core/export/delivery/send-with-retries.ts';
import type { Writer } from '../../core/export/delivery/writer.ts';
import { byKind } from '../../core/export/kinds/records.ts';
import { isWaiting, type Target } from '../../core/export/targets/target.ts';
import { TargetReadiness } from '../../core/export/targets/target-readiness-store.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import type { TargetRef } from '../../core/events/target-ref.ts';
import type { Gate } from './gate.ts';
import { ModelQueue } from './model-queue.ts';

export type Place = 'deliver' | 'park' | 'mark' | 'drain';
export type Answer = 'done' | 'unanswered' | 'refused';

const lane = '0/1';
const refusals = {
  refused: { actor: 'tenant', code: 'AccessDenied', reason: 'The role may not write.' },
  unanswered: { actor: 'nobody', code: 'ECONNRESET', reason: 'The connection broke.' },
} as const;

/** The model never waits for the redelivery. */
class NoCatchUp extends CatchUpAttempts {
  override mayTry(): boolean {
    return false;
  }
}

/** In the model each Lambda that repeats a batch has started anew. */
class NoMemory extends HandledEvents {
  override of(): undefined {
    return undefined;
  }
}

/** One target of one lane on the real tables. The run of the model says how the target answers. */
export class DeliveryParts {
  readonly ref: TargetRef = { tenantId: randomUUID(), category: 'public' };
  readonly queue = new ModelQueue();
  /** What the target got, as `aggregate/number`, in its order. */
  readonly received: string[] = [];
  answer: Answer = 'done';
  readonly #targets: TargetStore;
  readonly #watermarks: LaneWatermarks;
  readonly #readiness: TargetReadiness;
  #sequence = 0;

  constructor(client: DynamoDBDocumentClient) {
    this.#targets = new TargetStore(client, 'tenants');
    this.#watermarks = new LaneWatermarks(client, 'tenants');
    this.#readiness = new TargetReadiness(client, 'tenants');
  }

  async register(): Promise<void> {
    const destination = {
      kind: 'stream',
      streamArn: 'arn:aws:kinesis:eu-central-1:000000000000:stream/events',
      roleArn: 'arn:aws:iam::000000000000:role/events',
      externalId: randomUUID(),
      lanes: 1,
    } as const;
    await this.#targets.register(this.ref, destination, Date.now());
    await this.#readiness.verified(await this.target(), Date.now());
  }

  async target(): Promise<Target> {
    const target = await this.#targets.find(this.ref);
    if (!target) throw new Error('The target is gone');
    return target;
  }

  async isWaiting(): Promise<boolean> {
    return isWaiting(await this.target(), lane);
  }

  /** The tenant breaks the target, which only its answers show, or pauses it, or makes it well again. */
  async change(state: string): Promise<void> {
    const target = await this.target();
    if (state === 'paused') await this.#targets.move(target, 'pause', Date.now());
    else if (target.state === 'paused') await this.#targets.move(target, 'resume', Date.now());
  }

  /** The record of the events table's stream with this event. */
  record(aggregate: string, n: string): DynamoDBRecord {
    this.#sequence += 1;
    const sequence = String(this.#sequence).padStart(20, '0');
    return {
      eventName: 'INSERT',
      dynamodb: {
        SequenceNumber: sequence,
        ApproximateCreationDateTime: Math.floor(Date.now() / 1000),
        NewImage: {
          pk: { S: `${this.ref.tenantId}#${aggregate}` },
          sk: { S: randomUUID() },
          sequence: { S: sequence },
          type: { S: 'TestEvent' },
          event: { S: JSON.stringify({ name: `${aggregate}/${n}` }) },
        },
      },
    };
  }

  /** The parts of a Lambda that waits at the gate before each step. */
  deps(gate: Gate<Place>): RedeliveryDeps {
    const nothing = async (): Promise<void> => await Promise.resolve();
    const queue = new ParkingQueue(this.queue.client, 'https://queue.example');
    const pass = gatedBy(gate);
    const watermarks = this.#watermarks;
    return {
      targets: this.#targets,
      watermarks: {
        parked: pass('mark', watermarks.parked.bind(watermarks)),
        drained: pass('drain', watermarks.drained.bind(watermarks)),
        counted: watermarks.counted.bind(watermarks),
      },
      parking: { park: pass('park', queue.park.bind(queue)), hold: queue.hold.bind(queue) },
      writers: byKind(() => ({ deliver: unlessEmpty(pass('deliver', this.#deliver)) })),
      deadLetters: { add: nothing },
      checks: { ask: nothing, hold: nothing },
      attempts: { note: async () => await Promise.resolve() },
      givenUp: { refused: nothing },
      catchUps: new NoCatchUp(),
      handled: new NoMemory(),
      unanswered: new UnansweredTargets(),
      requestTest: nothing,
      backoff: { shortestSeconds: 1, longestSeconds: 1 },
      progress: new MessageProgress(),
    };
  }

  readonly #deliver = async (...[, records]: Parameters<Writer['deliver']>): Promise<Delivery> => {
    if (this.answer !== 'refused')
      for (const { data } of records)
        for (const [, name = ''] of String(data).matchAll(/"name":"([^"]+)"/g)) this.received.push(name);
    if (this.answer === 'done') return await Promise.resolve({ undelivered: [] });
    return await Promise.resolve({ undelivered: [...records], fault: refusals[this.answer] });
  };
}

/** A batch whose events all wait calls its writer without records, which is no step. */
const unlessEmpty =
  (deliver: Writer['deliver']): Writer['deliver'] =>
  async (...given) =>
    given[1].length === 0 ? { undelivered: [] } : await deliver(...given);

const gatedBy =
  (gate: Gate<Place>) =>
  <Given extends unknown[], Result>(place: Place, method: (...given: Given) => Promise<Result>) =>
  async (...given: Given): Promise<Result> => {
    await gate.pass(place);
    return await method(...given);
  };
