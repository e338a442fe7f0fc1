export type Remaining = { readonly minutes: number; readonly seconds: number };

/** Rounded up, so that the last second is shown as 1 and not as 0. */
export function remainingUntil(deadline: number, now: number): Remaining {
  const total = Math.max(0, Math.ceil((deadline - now) / 1_000));
  return { minutes: Math.floor(total / 60), seconds: total % 60 };
}

/** `1:05`, as clocks show it in all languages. */
export const clockText = ({ minutes, seconds }: Remaining): string =>
  `${minutes}:${String(seconds).padStart(2, '0')}`;

/** Seconds at which a screen reader is told. More would talk over the message. */
const milestones = [10, 30, 60];

/** The last milestone that has passed; undefined while more than a minute is left. */
export function milestoneOf({ minutes, seconds }: Remaining): number | undefined {
  const total = minutes * 60 + seconds;
  return milestones.find((milestone) => total <= milestone);
}
