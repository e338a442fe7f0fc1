import type { Enrolling, EnrolStep, EntryProblem } from './state.ts';
import { DeviceError, scan, type EnrolmentLink } from '#device';
import type { Account, ScanOutcome } from '../platform/index.ts';
import { fetchDue, contactsOf } from './contacts.ts';
import type { Message } from './messages.ts';
import type { State } from './state.ts';
import type { Update } from './effects.ts';

type EnrolMessage = Extract<
  Message,
  {
    type:
      | 'configured'
      | 'unconfigured'
      | 'link'
      | 'entry-chosen'
      | 'scanned'
      | 'previewed'
      | 'preview-failed'
      | 'install-skipped'
      | 'install-chosen'
      | 'typed'
      | 'named'
      | 'begun'
      | 'push-skipped'
      | 'push-health'
      | 'passkey-chosen'
      | 'passkey-skipped'
      | 'passkey-made'
      | 'enrolled'
      | 'enrol-failed'
      | 'enrol-retried'
      | 'enrol-left';
  }
>;

const entry = (way: 'choose' | 'paste' | 'scan', problem?: EntryProblem): Enrolling => ({
  step: { at: 'entry', way, ...(problem && { problem }) },
});

/** Step by step: link, whose account, (Home Screen,) name, notifications, passkey, and the call of the service. */
export function updateEnrolling(state: State, message: EnrolMessage): Update {
  const enrolling = state.enrolling ?? entry('choose');
  switch (message.type) {
    case 'configured':
      return configure({ ...state, baseUrl: message.baseUrl, stage: message.brand ?? {} });
    case 'unconfigured':
      return enrolling.text === undefined
        ? [state, []]
        : [withStep({ ...state, enrolling }, { at: 'entry', way: 'paste', problem: 'service-unknown' }), []];
    case 'link':
      return readLink(state, message.text);
    case 'entry-chosen':
      return [{ ...state, enrolling: entry(message.way) }, []];
    case 'scanned':
      return readScan(state, message.result);
    case 'previewed':
    case 'preview-failed':
      return enrolling.link && isSameLink(enrolling.link, message.link) && enrolling.step.at === 'checking'
        ? readPreview(state, enrolling, message)
        : [state, []];
    case 'install-chosen':
      return [state, [{ type: 'prompt-install' }]];
    case 'install-skipped':
      return [withStep({ ...state, enrolling }, { at: 'name' }), []];
    case 'typed':
      return [keepTyped(state, enrolling, message.text), []];
    case 'named':
      return giveName(state, enrolling, message.name);
    case 'begun':
      return next(state, { ...enrolling, pending: message.pending });
    case 'push-skipped':
      return next(state, { ...enrolling, decidedPush: true });
    case 'push-health':
      return enrolling.step.at === 'push' && !isBlocked(state)
        ? next(state, { ...enrolling, decidedPush: true })
        : [state, []];
    case 'passkey-chosen':
      return enrolling.pending ? [state, [{ type: 'add-passkey', pending: enrolling.pending }]] : [state, []];
    case 'passkey-skipped':
      return next(state, { ...enrolling, decidedPasskey: true });
    case 'passkey-made':
      return readPasskey(state, enrolling, message);
    case 'enrolled':
      return finish(state, message.account);
    case 'enrol-failed':
      return failEnrolment(state, enrolling, message.failure.code);
    case 'enrol-retried':
      return retry(state, enrolling);
    case 'enrol-left':
      return leave(state);
  }
}

/** An enrolment that the user may come back to, such as after a request that came between. */
export const isUnderWay = ({ step }: Enrolling): boolean =>
  step.at === 'entry' ? step.typed !== undefined : step.at !== 'failed' && step.at !== 'done';

const keepTyped = (state: State, enrolling: Enrolling, typed: string): State =>
  enrolling.step.at === 'entry' || enrolling.step.at === 'name'
    ? withStep({ ...state, enrolling }, { ...enrolling.step, typed })
    : state;

const withStep = (state: State & { enrolling: Enrolling }, step: EnrolStep): State => ({
  ...state,
  enrolling: { ...state.enrolling, step },
});

/** A link that was opened before the app knew its service is read now. */
function configure(state: State): Update {
  const { enrolling } = state;
  return enrolling?.text === undefined || enrolling.link ? [state, []] : readLink(state, enrolling.text);
}

function readLink(state: State, text: string): Update {
  const { baseUrl } = state;
  if (baseUrl === undefined)
    return [{ ...state, enrolling: { step: { at: 'working' }, text } }, [{ type: 'load-config' }]];
  try {
    return check(state, { step: { at: 'checking' }, text, link: scan(text, { baseUrl }) });
  } catch (error) {
    return [{ ...state, enrolling: entry('paste', problemOf(error)) }, []];
  }
}

/** Before anything is typed the user learns for whom the link is, or that it cannot be used. */
function check(state: State, enrolling: Enrolling): Update {
  const { link } = enrolling;
  if (!link) return [{ ...state, enrolling: entry('choose') }, []];
  return [withStep({ ...state, enrolling }, { at: 'checking' }), [{ type: 'preview-enrolment', link }]];
}

const isSameLink = (one: EnrolmentLink, other: EnrolmentLink): boolean =>
  one.code === other.code && one.baseUrl === other.baseUrl;

function readPreview(
  state: State,
  enrolling: Enrolling,
  message: Extract<EnrolMessage, { type: 'previewed' | 'preview-failed' }>,
): Update {
  if (message.type === 'preview-failed')
    return [withStep({ ...state, enrolling }, { at: 'failed', code: message.failure.code }), []];
  const { preview } = message;
  const previewed = { ...state, enrolling: { ...enrolling, preview } };
  if (preview.userVerification === 'required' && !state.hasPasskeys)
    return [withStep(previewed, { at: 'failed', code: 'user-verification-required' }), []];
  return [withStep(previewed, { at: state.install === 'manual' ? 'install' : 'name' }), []];
}

/** The call that failed again: that of the enrolment, or before it that of the preview. */
const retry = (state: State, enrolling: Enrolling): Update =>
  enrolling.pending ? next(state, enrolling) : check(state, enrolling);

function problemOf(error: unknown): EntryProblem {
  const code = error instanceof DeviceError ? error.code : 'invalid-link';
  return code === 'unsupported-link' || code === 'foreign-link' ? code : 'invalid-link';
}

function readScan(state: State, result: ScanOutcome): Update {
  if (result.outcome === 'found') return readLink(state, result.text);
  const isStopped = result.outcome === 'stopped';
  return [{ ...state, enrolling: isStopped ? entry('choose') : entry('paste', result.outcome) }, []];
}

function giveName(state: State, enrolling: Enrolling, name: string): Update {
  const { pending, link = pending?.link, preview } = enrolling;
  if (!link || !preview) return [{ ...state, enrolling: entry('choose') }, []];
  const named = { ...enrolling, name };
  return [{ ...state, enrolling: named }, [{ type: 'begin-enrolment', link, name, preview }]];
}

const canAsk = ({ push }: State): boolean => push?.state === 'off' && push.permission === 'prompt';

/** The user is told how to continue, and how to allow notifications later. */
const isBlocked = ({ push }: State): boolean => push?.state === 'off' && push.permission === 'denied';

/** The next question that is still open, or the call of the service. */
function next(state: State, enrolling: Enrolling): Update {
  const { pending } = enrolling;
  if (!pending) return [{ ...state, enrolling: entry('choose') }, []];
  if ((canAsk(state) || isBlocked(state)) && !enrolling.decidedPush)
    return [withStep({ ...state, enrolling }, { at: 'push' }), []];
  const wantsPasskey = state.hasPasskeys && !enrolling.decidedPasskey && !pending.passkey;
  const isRequired = pending.preview.userVerification === 'required';
  if (wantsPasskey) return [withStep({ ...state, enrolling }, { at: 'passkey', isRequired }), []];
  return [withStep({ ...state, enrolling }, { at: 'working' }), [{ type: 'complete-enrolment', pending }]];
}

function readPasskey(
  state: State,
  enrolling: Enrolling,
  { result, pending }: Extract<EnrolMessage, { type: 'passkey-made' }>,
): Update {
  const { step } = enrolling;
  if (step.at !== 'passkey') return [state, []];
  if (result.outcome === 'created' && pending)
    return next(state, { ...enrolling, pending, decidedPasskey: true });
  const problem = result.outcome === 'cancelled' ? 'cancelled' : 'unavailable';
  return [withStep({ ...state, enrolling }, { ...step, problem }), []];
}

function finish(state: State, account: Account): Update {
  const accounts = [...state.accounts.filter(({ deviceId }) => deviceId !== account.deviceId), account];
  const enrolled: State = {
    ...state,
    accounts,
    contacts: contactsOf(state, accounts),
    enrolling: { step: { at: 'done', account } },
  };
  const [fetching, effects] = fetchDue(enrolled);
  return [fetching, [{ type: 'persist' }, { type: 'refresh-push' }, ...effects]];
}

/** The screen that ends the enrolment makes way for a question that waits: its user has been told that the device is ready. */
export function makeWay([state, effects]: Update): Update {
  const [first, ...others] = state.challenges;
  if (state.route.screen !== 'enrol' || state.enrolling?.step.at !== 'done' || !first)
    return [state, effects];
  const { challengeId } = first.challenge;
  const route =
    others.length > 0 ? ({ screen: 'home' } as const) : ({ screen: 'challenge', challengeId } as const);
  return [state, [...effects, { type: 'navigate', route, replace: true }]];
}

/** The tenant asks for a passkey, and this enrolment has none. */
const asksForPasskey = (code: string): boolean => code === 'user-verification-required';

/** A fresh link is needed after these. After any other failure the same call may be repeated. */
const final = [
  'enrolment-not-found',
  'enrolment-code-used',
  'enrolment-code-expired',
  'confirmation-required',
  'recovery-required',
  'user-verification-failed',
];

export const isFinal = (code: string): boolean => final.includes(code);

function failEnrolment(state: State, enrolling: Enrolling, code: string): Update {
  if (asksForPasskey(code)) {
    const step: EnrolStep = state.hasPasskeys ? { at: 'passkey', isRequired: true } : { at: 'failed', code };
    return [withStep({ ...state, enrolling: { ...enrolling, decidedPasskey: false } }, step), []];
  }
  const failed = withStep({ ...state, enrolling }, { at: 'failed', code });
  return [failed, isFinal(code) ? [{ type: 'abandon-enrolment' }] : []];
}

function leave({ enrolling, ...state }: State): Update {
  const isBegun = enrolling?.pending !== undefined && enrolling.step.at !== 'done';
  return [
    state,
    [
      ...(isBegun ? [{ type: 'abandon-enrolment' } as const] : []),
      { type: 'navigate', route: { screen: 'home' } },
    ],
  ];
}
