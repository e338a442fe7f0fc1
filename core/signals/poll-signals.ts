import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { PolledSignal, PolledSignals } from '../export/kinds/signals/polled-signal-store.ts';
import { logger } from '../kernel/observability.ts';
import { seconds } from '../kernel/time.ts';
import { requireStream } from './configure-stream.ts';
import type { PollRequest } from './requests.ts';
import { statusOf } from './stream.ts';
import type { Owner, StreamStore } from './stream-store.ts';

export type PollDeps = {
  streams: Pick<StreamStore, 'find'>;
  polled: Pick<PolledSignals, 'oldest' | 'remove' | 'takePlace' | 'leavePlace'>;
};

export type PollPace = {
  /** How long a call waits for the first signal, if the receiver does not mind. */
  longestMs: number;
  /** Between the first two looks. Later pauses are longer. */
  pauseMs: number;
};

const longestPauseMs = 1 * seconds;

/** Half of the Lambda's time. */
export const pollPace: PollPace = { longestMs: 5 * seconds, pauseMs: 250 };

/** So many signals have about 150 KB, unless verifications have a long state. */
const mostSignals = 100;
/** The most that the tokens in an answer have. API Gateway and Lambda take more, and the service's answers have at most 256 KB. */
const mostBytes = 200_000;

export type Polled = { sets: Record<string, string>; moreAvailable?: true };

/**
 * Answers signals that the receiver has not acknowledged, and forgets those that it has (RFC 8936, section 2). One that the
 * receiver could not process is forgotten, too: it would be the same the next time. Of a stream's polls one waits for signals; the
 * others are answered at once.
 *
 * @throws {Refusal}
 */
export async function pollSignals(
  { streams, polled }: PollDeps,
  owner: Owner,
  streamId: string,
  { maxEvents = mostSignals, returnImmediately = false, ack = [], setErrs = {} }: PollRequest,
  pace = pollPace,
): Promise<Polled> {
  const stream = await requireStream(streams, owner, streamId);
  const refused = Object.entries(setErrs);
  for (const [jti, { err }] of refused)
    logger.warn('signal refused', { tenantId: owner.tenantId, streamId, jti, err: err?.slice(0, 64) });
  await polled.remove(streamId, [...ack, ...refused.map(([jti]) => jti)]);
  const most = Math.min(maxEvents, mostSignals);
  if (most === 0 || statusOf(stream) !== 'enabled') return { sets: {} };
  const look = async () => await polled.oldest(streamId, most, Date.now());
  const first = await look();
  const isEnough = returnImmediately || first.signals.length > 0;
  const found = isEnough ? first : await waitFor(polled, streamId, look, pace);
  const signals = fitting(found.signals);
  return {
    sets: Object.fromEntries(signals.map(({ jti, token }) => [jti, token])),
    ...((found.more || signals.length < found.signals.length) && { moreAvailable: true }),
  };
}

type Found = Awaited<ReturnType<PolledSignals['oldest']>>;

/** Looks again and again, if no other poll of the stream does. */
async function waitFor(
  polled: PollDeps['polled'],
  streamId: string,
  look: () => Promise<Found>,
  { longestMs, pauseMs: firstPauseMs }: PollPace,
): Promise<Found> {
  const now = Date.now();
  const place = { holder: randomUUID(), until: now + longestMs };
  let found: Found = { signals: [], more: false };
  if (!(await polled.takePlace(streamId, place, now))) return found;
  try {
    for (let pauseMs = firstPauseMs; found.signals.length === 0 && Date.now() + pauseMs < place.until;) {
      await setTimeout(pauseMs);
      found = await look();
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
    }
    return found;
  } finally {
    await polled.leavePlace(streamId, place);
  }
}

/** The first ones that an answer has room for. */
function fitting(signals: readonly PolledSignal[]): readonly PolledSignal[] {
  let bytes = 0;
  const tooMany = signals.findIndex(({ token }) => (bytes += token.length) > mostBytes);
  return tooMany === -1 ? signals : signals.slice(0, tooMany);
}
