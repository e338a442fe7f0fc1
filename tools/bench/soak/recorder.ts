import { setTimeout as wait } from 'node:timers/promises';
import type { WebsiteClient } from '../../client/website-client.ts';
import { ClientError } from '../../client/http.ts';
import { RateLimiter } from '../../../core/aws/rate-limiter.ts';
import { seeded } from '../report/seeded.ts';
import type { Plan } from './plan.ts';
import { largestCall, Workload } from './workload.ts';

/** A tenant whose events are recorded. */
export type Source = { tenantId: string; client: WebsiteClient };

const workersOfASource = 3;
/** Milliseconds between two attempts of a call. */
const pause = 200;

/** Records events of each source at the same time, and each call until it is accepted. */
export class Recorder {
  readonly #plan: Plan;
  readonly #turns: RateLimiter;
  #left: number;
  accepted = 0;
  /** Calls that were made again. */
  repeated = 0;
  /** Why the last of them was. */
  lastRefusal = '';

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#left = plan.events;
    this.#turns = new RateLimiter((largestCall * 1_000) / plan.rate);
  }

  /** @returns for each source the last number of each aggregate */
  async record(sources: readonly Source[], signal: AbortSignal): Promise<ReadonlyMap<string, number>[]> {
    return await Promise.all(
      sources.map(async (source, index) => {
        const workers = Array.from(
          { length: workersOfASource },
          async (_, worker) => await this.#work(source, index * workersOfASource + worker, signal),
        );
        return new Map((await Promise.all(workers)).flatMap(({ numbers }) => [...numbers]));
      }),
    );
  }

  async #work({ tenantId, client }: Source, worker: number, signal: AbortSignal): Promise<Workload> {
    const workload = new Workload(worker, tenantId, seeded(this.#plan.seed * 1_000 + worker));
    for (;;) {
      await this.#turns.turn();
      const count = Math.min(largestCall, this.#left);
      if (count === 0 || signal.aborted) return workload;
      this.#left -= count;
      await this.#send(client, workload.next(count), signal);
      this.accepted += count;
    }
  }

  /** A call without an answer may have been accepted. The same events again are accepted once. */
  async #send(client: WebsiteClient, events: readonly object[], signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const refusal = await client.recordEvents(events).then(refusalIn, noAnswer);
      if (refusal === undefined) return;
      this.lastRefusal = refusal;
      this.repeated += 1;
      await wait(pause);
    }
  }
}

/** @throws for a refusal that the same call would meet again */
function refusalIn({ status, text }: { status: number; text: string }): string | undefined {
  if (status === 202) return undefined;
  if (status !== 429 && status < 500) throw new Error(`The service refused events with ${status}: ${text}`);
  return `${status} ${text}`;
}

function noAnswer(error: unknown): string {
  if (error instanceof ClientError) return error.message;
  throw error;
}
