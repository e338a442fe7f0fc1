export type Remaining = { readonly hours: number; readonly minutes: number; readonly seconds: number };

/** Rounded up, so that the last second is shown as 1 and not as 0. */
export function remainingUntil(deadline: number, now: number): Remaining {
  const total = Math.max(0, Math.ceil((deadline - now) / 1_000));
  return {
    hours: Math.floor(total / 3600),
    minutes: Math.floor((total % 3600) / 60),
    seconds: total % 60,
  };
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `1:05` or `2:01:05`, as clocks show it in all languages. */
export const clockText = ({ hours, minutes, seconds }: Remaining): string =>
  hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds)}` : `${minutes}:${twoDigits(seconds)}`;

/** Seconds at which a screen reader is told. More would talk over the message. */
const milestones = [10, 30, 60];

/** The last milestone that has passed; undefined while more than a minute is left. */
export function milestoneOf({ hours, minutes, seconds }: Remaining): number | undefined {
  const total = hours * 3600 + minutes * 60 + seconds;
  return milestones.find((milestone) => total <= milestone);
}
