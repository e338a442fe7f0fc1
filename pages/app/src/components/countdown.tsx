import { remainingText } from '../i18n/format.ts';
import type { Texts } from '../i18n/en.ts';
import { clockText, milestoneOf, remainingUntil } from '../text/remaining-time.ts';

/** A clock to look at. Screen readers hear it at a few moments only. */
export function Countdown({ deadline, now, texts }: { deadline: number; now: number; texts: Texts }) {
  const remaining = remainingUntil(deadline, now);
  const milestone = milestoneOf(remaining);
  const { challenge, units } = texts;
  return (
    <div>
      <p
        class={milestone !== undefined && milestone <= 30 ? 'chip warn' : 'chip'}
        role="timer"
        aria-live="off"
        aria-label={challenge.timeLeft}
      >
        <span aria-hidden="true">{clockText(remaining)}</span>
        <span class="hidden">{remainingText(texts, remaining)}</span>
      </p>
      <p class="hidden" role="status">
        {milestone === undefined
          ? ''
          : challenge.announce(milestone === 60 ? units.minutes(1) : units.seconds(milestone))}
      </p>
    </div>
  );
}
