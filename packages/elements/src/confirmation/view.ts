import { clockText } from '../i18n/format.ts';
import type { IconName } from '../render/icons.ts';
import type { Device, Outcome, Pending, Problem, State } from './state.ts';
import type { ConfirmationTexts } from './texts/texts.ts';

type Tone = 'calm' | 'good' | 'bad' | 'warn';
type Pair = Exclude<ConfirmationTexts[keyof ConfirmationTexts], string>;

/** Everything that the element shows. */
export type View = {
  tone: Tone;
  icon: IconName;
  /** Share of the time that is left, from 0 to 1. */
  share: number;
  title: string;
  text: string;
  values: Record<string, string>;
  message: string;
  code: string;
  /** Read out once, shortly before the end. */
  hint: string;
  clock: string;
  choices: readonly Device[];
  needsDevice: boolean;
  /** Label of the button that starts. Without one there is no such button. */
  start: string;
  isStartBlocked: boolean;
  canCancel: boolean;
  isBusy: boolean;
};

const SOON_MS = 30_000;

/** What this state looks like at this time. It is pure. */
export function viewOf(state: State, texts: ConfirmationTexts, now: number): View {
  const { step } = state;
  const view = viewWith(valuesOf(state, texts, now));
  switch (step.at) {
    case 'loading':
      return view(texts.loading, { isBusy: true });
    case 'ready':
      return view(readyText(state, texts), { choices: choicesOf(state), start: texts.start });
    case 'no-device':
      return view(texts.noDevice, { tone: 'warn', needsDevice: true });
    case 'sending':
      return view(texts.sending, { isBusy: true, canCancel: true });
    case 'pending':
      return view(pendingText(step, texts), pendingParts(step, texts, now));
    case 'confirmed':
      return view(texts.confirmed, { tone: 'good', icon: 'good', share: 1 });
    case 'ended':
      return view(texts[endText(step.outcome)], {
        ...(step.outcome.status === 'cancelled' ? {} : { tone: 'bad', icon: 'bad' }),
        choices: choicesOf(state),
        start: texts.again,
      });
    case 'stopped':
      return view(texts[problemText(step.problem)], problemParts(step.problem, texts, now));
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
    message: '',
    code: '',
    hint: '',
    clock: '',
    choices: [],
    needsDevice: false,
    start: '',
    isStartBlocked: false,
    canCancel: false,
    isBusy: false,
    ...parts,
  });

function valuesOf(state: State, texts: ConfirmationTexts, now: number): Record<string, string> {
  const { step, devices, deviceId } = state;
  const chosen = devices.find((device) => device.deviceId === deviceId)?.name;
  const asked = step.at === 'pending' ? step.asked.deviceName : undefined;
  const told = step.at === 'confirmed' || step.at === 'ended' ? step.deviceName : undefined;
  const problem = step.at === 'stopped' ? step.problem : undefined;
  const until = step.at === 'pending' ? step.deadline : (problem?.until ?? now);
  return {
    device: asked ?? told ?? chosen ?? texts.device,
    detail: problem?.detail ?? '',
    time: clockText(until - now),
  };
}

const choicesOf = ({ devices, isFixed }: State): readonly Device[] =>
  devices.length > 1 && !isFixed ? devices : [];

function readyText(state: State, texts: ConfirmationTexts): Pair {
  if (choicesOf(state).length > 0) return texts.readyToChoose;
  return state.devices[0]?.isReachable === false ? texts.readyToOpen : texts.ready;
}

function pendingText({ isLeaving, isLost, asked }: Pending, texts: ConfirmationTexts): Pair {
  if (isLeaving) return texts.leaving;
  if (isLost) return texts.lost;
  return asked.isDelivered ? texts.pending : texts.unreachable;
}

function pendingParts(step: Pending, texts: ConfirmationTexts, now: number): Partial<View> {
  const { asked, deadline, lifetimeMs, isLost, isLeaving } = step;
  const left = Math.max(0, deadline - now);
  return {
    ...(isLost && { tone: 'warn', icon: 'warn' }),
    share: Math.min(1, left / Math.max(1, lifetimeMs)),
    message: asked.message,
    code: asked.matchCode ?? '',
    clock: left > 0 ? texts.left : texts.late,
    hint: left > 0 && left < SOON_MS && lifetimeMs > SOON_MS ? texts.soon : '',
    canCancel: !isLeaving,
    isBusy: true,
  };
}

type PairName = {
  [Name in keyof ConfirmationTexts]: ConfirmationTexts[Name] extends string ? never : Name;
}[keyof ConfirmationTexts];

function endText({ status, reason }: Outcome): PairName {
  switch (status) {
    case 'confirmed':
    case 'expired':
      return status;
    case 'denied':
      return reason === 'not_me' ? 'notMe' : 'denied';
    case 'cancelled':
      return reason === 'device_removed' ? 'deviceRemoved' : 'withdrawn';
    case 'failed':
      return reason === 'wrong_number' ? 'wrongNumber' : 'failed';
  }
}

const problemTexts: Record<string, PairName> = {
  network: 'offline',
  lost: 'unknown',
  denied: 'refused',
  'device-not-found': 'deviceGone',
  'confirmation-pending': 'otherRequest',
  'too-many-notifications': 'tooMany',
  'form-changed': 'changed',
};

function problemText({ code, status }: Problem): PairName {
  if (status === 401) return 'signedOut';
  return problemTexts[code] ?? (status === 404 ? 'gone' : 'fault');
}

function problemParts(problem: Problem, texts: ConfirmationTexts, now: number): Partial<View> {
  const isStartBlocked = problem.until !== undefined && now < problem.until;
  return {
    tone: 'warn',
    icon: 'warn',
    clock: isStartBlocked ? texts.againIn : '',
    start: problem.status === 401 ? '' : texts.again,
    isStartBlocked,
  };
}
