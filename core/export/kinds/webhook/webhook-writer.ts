import type { Answer } from '../../delivery/answer.ts';
import type { BatchLimits } from '../../delivery/batch-limits.ts';
import { slowTarget } from '../../delivery/delivery-faults.ts';
import type { PackedRecord } from '../../delivery/packing.ts';
import type { OutboundAnswer } from '../../../outbound/post.ts';
import { sendWithRetries, type Delivery, type Pauses, type Sink } from '../../delivery/send-with-retries.ts';
import type { Writer } from '../../delivery/writer.ts';
import { cloudEventBatch, sourceOf } from '../cloud-event.ts';
import { deliverByLane } from '../receiver/deliver-by-lane.ts';
import type { Fault } from '../../targets/target.ts';
import type { WebhookCaller, WebhookTarget } from './webhook-caller.ts';
import { explainWebhookError, lateReceiver, webhookFaultOf } from './webhook-faults.ts';

/** HTTP Protocol Binding for CloudEvents 1.0.2, section 3.3. */
const cloudEventBatchType = 'application/cloudevents-batch+json';

/** A record is the body of a call. */
const oneCall: BatchLimits = { records: 1, bytes: Infinity, perLane: 1 };

/** A receiver in trouble is not called more than a few times a second, and its lanes are called at the same time. */
const pauses: Pauses = { shortestMs: 250, firstMs: 250, longestMs: 2_000 };

/** Calls tenants' receivers: one call at a time for each lane, and the lanes beside each other. */
export class WebhookWriter implements Writer {
  readonly #caller: Pick<WebhookCaller, 'call'>;

  readonly #baseUrl: string;

  /** @param baseUrl names the service in CloudEvents */
  constructor(caller: Pick<WebhookCaller, 'call'>, baseUrl: string) {
    this.#caller = caller;
    this.#baseUrl = baseUrl;
  }

  async deliver(
    target: WebhookTarget,
    records: readonly PackedRecord[],
    deadline: number,
    patienceMs?: number,
  ): Promise<Delivery> {
    let answer: Answer | undefined;
    const judge = (given: OutboundAnswer): Fault | undefined => {
      const fault = webhookFaultOf(given, Date.now());
      if (fault) answer = { status: given.status, text: given.body ?? '' };
      return fault;
    };
    const sink: Sink = {
      limits: oneCall,
      pauses,
      explain: explainWebhookError,
      slow: slowTarget,
      late: lateReceiver,
      send: async (batch, signal) =>
        await Promise.all(batch.map(async ({ data }) => judge(await this.#call(target, data, signal)))),
    };
    const merged = await deliverByLane(
      records,
      async (its) => await sendWithRetries(its, deadline, sink, patienceMs),
    );
    return merged.undelivered.length > 0 && answer ? { ...merged, answer } : merged;
  }

  async #call(target: WebhookTarget, record: Buffer, signal: AbortSignal): Promise<OutboundAnswer> {
    if (target.destination.format !== 'cloudevents')
      return await this.#caller.call(target, record, { signal, excerptsRefusals: true });
    const body = cloudEventBatch(record, sourceOf(this.#baseUrl, target));
    return await this.#caller.call(target, body, {
      signal,
      excerptsRefusals: true,
      contentType: cloudEventBatchType,
    });
  }
}
