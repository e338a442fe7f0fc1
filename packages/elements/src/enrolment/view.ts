import { clockText } from '../i18n/format.ts';
import type { Tone } from '../render/icon.ts';
import type { State, Step, Waiting } from './state.ts';
import type { EnrolmentTexts } from './texts/texts.ts';

/** Name of a title and its text. */
type PairName = {
  [Name in keyof EnrolmentTexts]: EnrolmentTexts[Name] extends string ? never : Name;
}[keyof EnrolmentTexts];

/** Everything that the element shows. What is undefined is hidden. */
export type View = {
  says: PairName;
  values: Record<string, string>;
  tone: Tone;
  /** Share of the time that is left, from 0 to 1. */
  share: number;
  /** The link, as a QR code and to follow. */
  link?: string;
  /** Says for which account it is. */
  account?: string;
  clock?: string;
  /** Label of the button that starts once more. */
  start?: string;
  isStartBlocked?: boolean;
  isBusy?: boolean;
};

/** What this state looks like at this time. It is pure. */
export function viewOf({ step }: State, texts: EnrolmentTexts, now: number): View {
  const values = valuesOf(step, texts, now);
  const view = (says: PairName, parts: Partial<View>): View => ({
    says,
    values,
    tone: 'calm',
    share: 0,
    ...parts,
  });
  switch (step.at) {
    case 'starting':
      return view('starting', { isBusy: true });
    case 'waiting':
      return view(waitingText(step), waitingParts(step, texts, now));
    case 'completed':
      return view('completed', { tone: 'good', share: 1 });
    case 'expired':
      return view('expired', { tone: 'bad', start: texts.newCode });
    case 'stopped':
      return view(problemText(step.problem), problemParts(step.problem, texts, now));
  }
}

function valuesOf(step: Step, texts: EnrolmentTexts, now: number): Record<string, string> {
  const { detail = '', until = now } = step.at === 'stopped' ? step.problem : {};
  return {
    device: (step.at === 'completed' ? step.deviceName : undefined) ?? texts.device,
    detail,
    account: (step.at === 'waiting' ? step.account : undefined) ?? '',
    time: clockText((step.at === 'waiting' ? step.deadline : until) - now),
  };
}

/** A link to the machine itself, as that of a developer. */
const localLink = /^https?:\/\/(localhost|127\.|\[::1\])/;

function waitingText({ isLost, link }: Waiting): PairName {
  if (isLost) return 'lost';
  return localLink.test(link) ? 'local' : 'waiting';
}

function waitingParts(step: Waiting, texts: EnrolmentTexts, now: number): Partial<View> {
  const left = Math.max(0, step.deadline - now);
  return {
    tone: step.isLost ? 'warn' : 'calm',
    share: Math.min(1, left / Math.max(1, step.expiresInMs)),
    link: step.link,
    ...(step.account !== undefined && { account: texts.account }),
    clock: left > 0 ? texts.left : texts.late,
  };
}

type Problem = Extract<Step, { at: 'stopped' }>['problem'];

function problemText({ status, code }: Problem): PairName {
  if (status === 0) return 'offline';
  if (status === 401) return 'signedOut';
  if (code === 'confirmation-required') return 'confirmFirst';
  if (code === 'recovery-required') return 'recoverFirst';
  if (code === 'enrolment-not-found') return 'expired';
  if (status === 403) return 'refused';
  return status === 429 ? 'tooMany' : 'fault';
}

function problemParts({ status, until = 0 }: Problem, texts: EnrolmentTexts, now: number): Partial<View> {
  const isStartBlocked = now < until;
  return {
    tone: 'warn',
    clock: isStartBlocked ? texts.againIn : '',
    start: status === 401 ? '' : texts.again,
    isStartBlocked,
  };
}
