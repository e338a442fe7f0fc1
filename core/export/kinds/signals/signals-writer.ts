import type { JwsSigner } from '../../../keys/jws-signer.ts';
import { seconds } from '../../../kernel/time.ts';
import type { OpenedSecrets } from '../../../outbound/opened-secrets.ts';
import { post, type OutboundAnswer } from '../../../outbound/post.ts';
import type { Answer } from '../../delivery/answer.ts';
import type { BatchLimits } from '../../delivery/batch-limits.ts';
import { slowTarget } from '../../delivery/delivery-faults.ts';
import type { PackedRecord } from '../../delivery/packing.ts';
import { sendWithRetries, type Delivery, type Pauses, type Sink } from '../../delivery/send-with-retries.ts';
import { eventsOf } from '../../delivery/split-events.ts';
import type { Writer } from '../../delivery/writer.ts';
import type { Fault, Target } from '../../targets/target.ts';
import { lateReceiver } from '../receiver/receiver-faults.ts';
import { deliverByLane } from '../receiver/deliver-by-lane.ts';
import type { PolledSignal, PolledSignals } from './polled-signal-store.ts';
import { authorizationContext, type SignalsDestination } from './record.ts';
import { signalClaims } from './signal-claims.ts';
import {
  explainSignalsError,
  explainTableError,
  SignalUnavailable,
  signalsFaultOf,
} from './signals-faults.ts';

/** RFC 8935, section 2: a call has one signal. */
const oneCall: BatchLimits = { records: 1, bytes: Infinity, perLane: 1 };

/** Writes into the table, which keeps the order by the ids. */
const severalWrites: BatchLimits = { records: 25, bytes: Infinity, perLane: 25 };

/** A receiver in trouble is not called more than a few times a second, and its lanes are called at the same time. */
const pauses: Pauses = { shortestMs: 250, firstMs: 250, longestMs: 2_000 };

/** For a call. */
const longestCallMs = 10 * seconds;

export type SignalsTarget = Target & { destination: SignalsDestination };

export type SignalsWriterDeps = {
  signer: Pick<JwsSigner, 'sign'>;
  secrets: Pick<OpenedSecrets, 'open'>;
  polled: Pick<PolledSignals, 'put'>;
  baseUrl: string;
  allowsLoopback: boolean;
};

/** Makes a signal of each event, and pushes it (RFC 8935) or keeps it until its receiver polls (RFC 8936). */
export class SignalsWriter implements Writer {
  readonly #deps: SignalsWriterDeps;

  constructor(deps: SignalsWriterDeps) {
    this.#deps = deps;
  }

  async deliver(
    target: SignalsTarget,
    records: readonly PackedRecord[],
    deadline: number,
    patienceMs?: number,
  ): Promise<Delivery> {
    const signals = new Map<PackedRecord, Promise<PolledSignal>>();
    const signalOf = async (record: PackedRecord): Promise<PolledSignal> => {
      const made = signals.get(record) ?? this.#sign(target, record);
      signals.set(record, made);
      // KMS may answer the next time.
      made.catch(() => signals.delete(record));
      return await made;
    };
    const { url } = target.destination;
    return url === undefined
      ? await sendWithRetries(records, deadline, this.#keeping(target, signalOf), patienceMs)
      : await this.#push(target, new URL(url), records, { deadline, patienceMs, signalOf });
  }

  /** One call at a time for each lane. */
  async #push(
    target: SignalsTarget,
    url: URL,
    records: readonly PackedRecord[],
    { deadline, patienceMs, signalOf }: Sending,
  ): Promise<Delivery> {
    let answer: Answer | undefined;
    const judge = (given: OutboundAnswer): Fault | undefined => {
      const fault = signalsFaultOf(given, Date.now());
      if (fault) answer = { status: given.status, text: given.body ?? '' };
      return fault;
    };
    const sink: Sink = {
      limits: oneCall,
      pauses,
      explain: explainSignalsError,
      slow: slowTarget,
      late: lateReceiver,
      send: async (batch, signal) =>
        await Promise.all(
          batch.map(async (record) => judge(await this.#call(target, url, await signalOf(record), signal))),
        ),
    };
    const delivery = await deliverByLane(
      records,
      async (its) => await sendWithRetries(its, deadline, sink, patienceMs),
    );
    return delivery.undelivered.length > 0 && answer ? { ...delivery, answer } : delivery;
  }

  #keeping({ destination: { streamId } }: SignalsTarget, signalOf: Sending['signalOf']): Sink {
    const keep = async (record: PackedRecord): Promise<Fault | undefined> => {
      try {
        await this.#deps.polled.put(streamId, await signalOf(record), Date.now());
        return undefined;
      } catch (error) {
        return explainTableError(error);
      }
    };
    return {
      limits: severalWrites,
      explain: explainTableError,
      send: async (batch) => await Promise.all(batch.map(keep)),
    };
  }

  async #sign({ destination }: SignalsTarget, { data }: PackedRecord): Promise<PolledSignal> {
    const [event = ''] = eventsOf(data);
    const claims = signalClaims(event, destination, this.#deps.baseUrl, Date.now());
    try {
      return { jti: claims.jti, token: await this.#deps.signer.sign(claims, { typ: 'secevent+jwt' }) };
    } catch (cause) {
      throw new SignalUnavailable('The signal could not be signed', { cause });
    }
  }

  async #call(
    target: SignalsTarget,
    url: URL,
    { token }: PolledSignal,
    signal: AbortSignal,
  ): Promise<OutboundAnswer> {
    const authorization = await this.#authorizationOf(target);
    const body = Buffer.from(token);
    return await post({
      url,
      headers: {
        accept: 'application/json',
        'content-type': 'application/secevent+jwt',
        'content-length': String(body.length),
        'user-agent': 'OMI',
        ...(authorization !== undefined && { authorization }),
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(longestCallMs)]),
      allowsLoopback: this.#deps.allowsLoopback,
      excerptsRefusals: true,
    });
  }

  async #authorizationOf({ tenantId, destination }: SignalsTarget): Promise<string | undefined> {
    const { authorization, streamId } = destination;
    if (authorization === undefined) return undefined;
    try {
      return await this.#deps.secrets.open(authorization, authorizationContext(tenantId, streamId));
    } catch (cause) {
      throw new SignalUnavailable('The header could not be opened', { cause });
    }
  }
}

type Sending = {
  deadline: number;
  patienceMs: number | undefined;
  signalOf: (record: PackedRecord) => Promise<PolledSignal>;
};
