import { clockText } from '../i18n/format.ts';
import type { Tone } from '../render/icon.ts';
import type { Device, Outcome, Pending, Problem, State } from './state.ts';
import type { ConfirmationTexts } from './texts/texts.ts';

/** Name of a title and its text. */
type PairName = {
  [Name in keyof ConfirmationTexts]: ConfirmationTexts[Name] extends string ? never : Name;
}[keyof ConfirmationTexts];

/** Everything that the element shows. What is undefined is hidden. */
export type View = {
  says: PairName;
  values: Record<string, string>;
  tone: Tone;
  /** Share of the time that is left, from 0 to 1. */
  share: number;
  message?: string;
  code?: string | undefined;
  appUrl?: string | undefined;
  clock?: string;
  /** Read out once, shortly before the end. */
  hint?: string;
  choices?: readonly Device[];
  needsDevice?: boolean;
  /** Label of the button that starts. */
  start?: string;
  isStartBlocked?: boolean;
  canCancel?: boolean;
  /** Offers to withdraw the other request of the user. */
  canWithdrawOther?: boolean;
  isBusy?: boolean;
  /** Nothing was asked yet. */
  isIdle?: boolean;
  /** It shows several devices, before it asks or after it. */
  isRoomy?: boolean;
};

const soonMs = 30_000;

/** What this state looks like at this time. It is pure. */
export function viewOf(state: State, texts: ConfirmationTexts, now: number): View {
  const { step } = state;
  const values = valuesOf(state, texts, now);
  const view = (says: PairName, parts: Partial<View>): View => ({
    says,
    values,
    tone: 'calm',
    share: 0,
    isRoomy: choicesOf(state).length > 0,
    ...parts,
  });
  switch (step.at) {
    case 'loading':
      return view('loading', { isBusy: true, isIdle: true, start: texts.start, isStartBlocked: true });
    case 'ready':
      return view(readyText(state), { isIdle: true, choices: choicesOf(state), start: texts.start });
    case 'no-device':
      return view('noDevice', { tone: 'warn', isIdle: true, needsDevice: true });
    case 'sending':
      return view('sending', { isBusy: true, canCancel: true });
    case 'pending':
      return view(pendingText(step), pendingParts(step, texts, now));
    case 'confirmed':
      return view('confirmed', { tone: 'good', share: 1 });
    case 'ended':
      return view(endText(step.outcome), { tone: 'bad', ...endParts(state, step.outcome, texts) });
    case 'stopped':
      return view(problemText(step.problem), problemParts(step.problem, texts, now));
  }
}

function valuesOf(state: State, texts: ConfirmationTexts, now: number): Record<string, string> {
  const { step, devices, deviceId } = state;
  const chosen = devices.find((device) => device.deviceId === deviceId)?.name;
  const asked = 'deviceName' in step ? step.deviceName : undefined;
  const { detail = '', until = now } = step.at === 'stopped' ? step.problem : {};
  return {
    device: asked ?? chosen ?? texts.device,
    detail,
    time: clockText((step.at === 'pending' ? step.deadline : until) - now),
  };
}

const choicesOf = ({ devices, isFixed }: State): readonly Device[] =>
  devices.length > 1 && !isFixed ? devices : [];

function readyText(state: State): PairName {
  if (choicesOf(state).length > 0) return 'choice';
  return state.devices[0]?.status === 'unreachable' ? 'quiet' : 'ready';
}

function pendingText({ isLeaving, isLost, delivery, perhapsHere }: Pending): PairName {
  if (isLeaving) return 'leaving';
  if (isLost) return 'lost';
  if (delivery === 'sent') return 'pending';
  return perhapsHere ? 'here' : 'unreachable';
}

function pendingParts(step: Pending, texts: ConfirmationTexts, now: number): Partial<View> {
  const { message, matchCode, appUrl, deadline, expiresInMs, isLost, isLeaving } = step;
  const left = Math.max(0, deadline - now);
  return {
    tone: isLost ? 'warn' : 'calm',
    share: Math.min(1, left / Math.max(1, expiresInMs)),
    message,
    code: matchCode,
    appUrl,
    clock: left > 0 ? texts.left : texts.late,
    hint: left > 0 && left < soonMs && expiresInMs > soonMs ? texts.soon : '',
    canCancel: !isLeaving,
    isBusy: isLeaving,
  };
}

/** Who sits here when the user says "this was not me" is offered nothing. */
const endParts = (state: State, { reason }: Outcome, texts: ConfirmationTexts): Partial<View> =>
  reason === 'not_me' ? {} : { choices: choicesOf(state), start: texts.again };

function endText({ status, reason }: Outcome): PairName {
  if (reason === 'not_me') return 'notMe';
  if (reason === 'device_removed') return 'deviceRemoved';
  if (reason === 'wrong_number') return 'wrongNumber';
  return status === 'cancelled' ? 'withdrawn' : status;
}

const problemTexts: Record<string, PairName> = {
  network: 'offline',
  lost: 'unknown',
  denied: 'refused',
  'device-not-found': 'deviceGone',
  'confirmation-pending': 'otherRequest',
  'too-many-notifications': 'tooMany',
  'user-suspended': 'suspended',
  'form-changed': 'changed',
};

function problemText({ code, status }: Problem): PairName {
  if (status === 401) return 'signedOut';
  return problemTexts[code] ?? (status === 404 ? 'gone' : 'fault');
}

function problemParts(
  { code, status, until = 0 }: Problem,
  texts: ConfirmationTexts,
  now: number,
): Partial<View> {
  if (code === 'confirmation-pending') return { tone: 'warn', canWithdrawOther: true, start: texts.again };
  const isStartBlocked = now < until;
  return {
    tone: 'warn',
    clock: isStartBlocked ? texts.againIn : '',
    start: status === 401 ? '' : texts.again,
    isStartBlocked,
  };
}
