import type { PolledSignals } from '../export/kinds/signals/polled-signal-store.ts';
import { notFound, requireStream } from './configure-stream.ts';
import type { Owner, StreamStore } from './stream-store.ts';

export type DeleteDeps = {
  streams: Pick<StreamStore, 'find' | 'remove'>;
  polled: Pick<PolledSignals, 'removeAll'>;
};

/**
 * Deletes a stream with all that waits for its receiver (OpenID Shared Signals Framework 1.0, section 8.1.1.5).
 *
 * @throws {Refusal}
 */
export async function deleteStream(
  { streams, polled }: DeleteDeps,
  owner: Owner,
  streamId: string,
  now: number,
): Promise<void> {
  const stream = await requireStream(streams, owner, streamId);
  if (!(await streams.remove(stream))) throw notFound();
  await polled.removeAll(streamId, now);
}
