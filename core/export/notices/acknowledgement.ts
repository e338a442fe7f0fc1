import * as v from 'valibot';
import { shownState } from '../targets/target-status.ts';
import { states, type Target } from '../targets/target.ts';

/** An operator knows of the trouble of a target. That ends with the time, or with the state that the target had. */
export const acknowledgement = v.object({
  /** The operator's ARN. */
  by: v.string(),
  /** Both in milliseconds since 1970. */
  until: v.number(),
  stateSince: v.number(),
  state: v.picklist(states),
});

export type Acknowledgement = v.InferOutput<typeof acknowledgement>;

export const acknowledgementOf = (
  target: Target,
  { by, until }: Pick<Acknowledgement, 'by' | 'until'>,
  now: number,
): Acknowledgement => ({ by, until, stateSince: target.stateSince, state: shownState(target, now) });

export const isAcknowledged = (
  target: Target,
  acknowledged: Acknowledgement | undefined,
  now: number,
): acknowledged is Acknowledgement =>
  acknowledged !== undefined &&
  acknowledged.until > now &&
  acknowledged.stateSince === target.stateSince &&
  acknowledged.state === shownState(target, now);
