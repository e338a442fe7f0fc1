import { clockText } from '../i18n/format.ts';
import type { IconName } from '../render/icons.ts';
import type { State, Step, Waiting } from './state.ts';
import type { EnrolmentTexts } from './texts/texts.ts';

type Pair = Exclude<EnrolmentTexts[keyof EnrolmentTexts], string>;

/** Everything that the element shows. */
export type View = {
  tone: 'calm' | 'good' | 'bad' | 'warn';
  icon: IconName;
  /** Share of the time that is left, from 0 to 1. */
  share: number;
  title: string;
  text: string;
  values: Record<string, string>;
  /** The link, as a QR code and to follow. Empty: there is none. */
  link: string;
  clock: string;
  /** Label of the button that starts once more. */
  start: string;
  isStartBlocked: boolean;
  isBusy: boolean;
};

/** What this state looks like at this time. It is pure. */
export function viewOf({ step }: State, texts: EnrolmentTexts, now: number): View {
  const view = viewWith(valuesOf(step, texts, now));
  switch (step.at) {
    case 'starting':
      return view(texts.starting, { isBusy: true });
    case 'waiting':
      return view(step.isLost ? texts.lost : texts.waiting, waitingParts(step, texts, now));
    case 'completed':
      return view(texts.completed, { tone: 'good', icon: 'good', share: 1 });
    case 'expired':
      return view(texts.expired, { tone: 'bad', icon: 'bad', start: texts.newCode });
    case 'stopped':
      return view(problemText(step.problem, texts), problemParts(step.problem, texts, now));
  }
}

const viewWith =
  (values: Record<string, string>) =>
  ([title, text]: Pair, parts: Partial<View>): View => ({
    tone: 'calm',
    icon: 'device',
    share: 0,
    title,
    text,
    values,
    link: '',
    clock: '',
    start: '',
    isStartBlocked: false,
    isBusy: false,
    ...parts,
  });

function valuesOf(step: Step, texts: EnrolmentTexts, now: number): Record<string, string> {
  const problem = step.at === 'stopped' ? step.problem : undefined;
  const until = step.at === 'waiting' ? step.deadline : (problem?.until ?? now);
  return {
    device: (step.at === 'completed' ? step.deviceName : undefined) ?? texts.device,
    detail: problem?.detail ?? '',
    time: clockText(until - now),
  };
}

function waitingParts(step: Waiting, texts: EnrolmentTexts, now: number): Partial<View> {
  const left = Math.max(0, step.deadline - now);
  return {
    ...(step.isLost && { tone: 'warn', icon: 'warn' }),
    share: Math.min(1, left / Math.max(1, step.lifetimeMs)),
    link: step.link,
    clock: left > 0 ? texts.left : texts.late,
    isBusy: true,
  };
}

type Problem = Extract<Step, { at: 'stopped' }>['problem'];

function problemText({ status, code }: Problem, texts: EnrolmentTexts): Pair {
  if (status === 0) return texts.offline;
  if (status === 401) return texts.signedOut;
  if (code === 'confirmation-required') return texts.confirmFirst;
  if (status === 403) return texts.refused;
  return status === 429 ? texts.tooMany : texts.fault;
}

function problemParts({ status, until }: Problem, texts: EnrolmentTexts, now: number): Partial<View> {
  const isStartBlocked = until !== undefined && now < until;
  return {
    tone: 'warn',
    icon: 'warn',
    clock: isStartBlocked ? texts.againIn : '',
    start: status === 401 ? '' : texts.again,
    isStartBlocked,
  };
}
