import type { PolledSignals } from '../export/kinds/signals/polled-signal-store.ts';
import { activateIfDrained } from '../export/targets/steer-target.ts';
import type { TargetStore } from '../export/targets/target-store.ts';
import type { Target } from '../export/targets/target.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';
import { notFound, requireStream } from './configure-stream.ts';
import type { StreamStatus } from './requests.ts';
import { statusOf, type Stream } from './stream.ts';
import type { Owner, StreamStore } from './stream-store.ts';

export type StatusDeps = {
  streams: Pick<StreamStore, 'find' | 'noteReason' | 'close' | 'reopen'>;
  targets: Pick<TargetStore, 'find' | 'move' | 'drain'>;
  polled: Pick<PolledSignals, 'removeAll'>;
};

export type StatusChange = { streamId: string; status: StreamStatus; reason?: string | undefined };

/**
 * Sets the status of a stream (OpenID Shared Signals Framework 1.0, section 8.1.2.2). While it is paused, signals wait; while
 * it is disabled, they are discarded. Safe to repeat.
 *
 * @throws {Refusal}
 */
export async function setStatus(
  deps: StatusDeps,
  owner: Owner,
  { streamId, status, reason }: StatusChange,
  now: number,
): Promise<Stream> {
  return await retryOnConflict(async () => {
    const found = await requireStream(deps.streams, owner, streamId);
    const noted = orGone(await deps.streams.noteReason(found, reason));
    if (statusOf(noted) === status) {
      // Whoever disabled it may have been interrupted.
      if (status === 'disabled') await deps.polled.removeAll(noted.stream.place.streamId, now);
      return noted;
    }
    await steps[status](deps, noted, now);
    return await requireStream(deps.streams, owner, streamId);
  });
}

type Step = (deps: StatusDeps, stream: Stream, now: number) => Promise<void>;

const enable: Step = async (deps, stream, now) => {
  if (stream.destination.kind === 'none') await reopen(deps, stream, now);
  if (stream.state === 'paused') await resume(deps, stream, now);
};

const pause: Step = async (deps, stream, now) => {
  // First, so that no signal goes out in between.
  await deps.targets.move(stream, 'pauseByTenant', now);
  if (stream.destination.kind === 'none') await reopen(deps, stream, now);
};

const disable: Step = async (deps, stream, now) => {
  const { place } = stream.stream;
  orGone(await deps.streams.close(stream));
  if (stream.state === 'paused') await resume(deps, stream, now);
  await deps.polled.removeAll(place.streamId, now);
};

const steps: Readonly<Record<StreamStatus, Step>> = { enabled: enable, paused: pause, disabled: disable };

/** A delivery that was under way when the stream was disabled may have left signals. */
async function reopen({ streams, polled }: StatusDeps, stream: Stream, now: number): Promise<void> {
  await polled.removeAll(stream.stream.place.streamId, now);
  orGone(await streams.reopen(stream, now));
}

/** If nothing waits, no delivery would make the stream active. */
async function resume({ targets }: StatusDeps, stream: Target, now: number): Promise<void> {
  const { current } = await targets.move(stream, 'resumeByTenant', now);
  if (current) await activateIfDrained(targets, current, now);
}

function orGone(stream: Stream | undefined): Stream {
  if (stream) return stream;
  throw notFound();
}
