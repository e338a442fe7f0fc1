import { setTimeout as wait } from 'node:timers/promises';
import { seconds } from '../../../core/domain/time.ts';
import { Failure } from '../../failure.ts';
import { replayProgress, startReplay } from '../../replays/replay.ts';
import { hasId } from '../arrivals.ts';
import type { Scene } from '../scene.ts';
import type { StepDefinition, StepRun } from '../step-runner.ts';
import type { Export } from './destination.ts';
import { eventType, replayedSteps, type Recorded } from './events.ts';

export const eventsAreReplayed: StepDefinition = {
  name: 'replay',
  title: `A replay of more than ${replayedSteps} steps sends all of them once more`,
  limitSeconds: 400,
  hint: 'A replay that stops after about 16 steps was taken for a recursive loop: look at the metric RecursiveInvocationsDropped of the Lambda replay-events, and at its log.',
};

export async function replayEvents(
  { deployment, tenantId }: Scene,
  { eventIds, from, to }: Recorded,
  { arrivals }: Export,
  { signal, say }: StepRun,
): Promise<void> {
  await arrivals.read();
  const before = arrivals.count;
  const replayId = await startReplay(deployment, {
    tenantId,
    category: 'public',
    from,
    to: Math.min(to, Date.now()),
    types: [eventType],
    portion: 1,
  });
  const ref = { tenantId, replayId };
  let progress = await replayProgress(deployment, ref);
  while (progress.state === 'running') {
    await wait(seconds, undefined, { signal });
    progress = await replayProgress(deployment, ref);
  }
  const { state, steps, eventsSent, reason } = progress;
  say(`${steps} steps, ${eventsSent} events`);
  if (state === 'failed') throw new Failure(`The replay failed: ${reason ?? ''}`);
  if (steps < replayedSteps) throw new Failure(`The replay made ${steps} steps, fewer than ${replayedSteps}`);
  await arrivals.all('All events of the replay', eventIds.map(hasId), { signal, from: before });
}
