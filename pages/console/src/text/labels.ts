import type { Tone } from '#ui/states.tsx';
import type { Check, Confirmation, ExportState, Limit, Recovery, Status } from '../api/shapes.ts';

type Label = { label: string; tone: Tone };

export const statusLabels: Readonly<Record<Status, Label>> = {
  pending: { label: 'Waiting', tone: 'info' },
  confirmed: { label: 'Confirmed', tone: 'good' },
  denied: { label: 'Denied', tone: 'bad' },
  expired: { label: 'Not answered', tone: 'warn' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  failed: { label: 'Failed', tone: 'bad' },
};

const reasons: Readonly<Record<string, string>> = {
  user_declined: 'the user declined',
  not_me: 'the user says: this was not me',
  wrong_number: 'a wrong number was chosen',
  too_many_bad_responses: 'the app answered something else than was asked',
  device_removed: 'the device was removed',
  withdrawn: 'the website withdrew it',
  group_decided: 'the group had decided',
};

const purposes: Readonly<Record<string, string>> = {
  'add-device': 'to add a device',
  'remove-device': 'to remove a device',
};

/** Why it ended so, and what it was for. */
export function aboutConfirmation({ reason, purpose, groupId }: Confirmation): string {
  const parts = [
    ...(reason === undefined ? [] : [reasons[reason] ?? reason]),
    ...(purpose === undefined ? [] : [purposes[purpose] ?? purpose]),
    ...(groupId === undefined ? [] : ['a vote in a group']),
  ];
  return parts.join('; ');
}

/** Several denials, and above all "this was not me", say that somebody else has the password. */
export const isSuspicious = (confirmations: readonly Confirmation[]): boolean =>
  confirmations.some(({ reason }) => reason === 'not_me') ||
  confirmations.filter(({ status }) => status === 'denied' || status === 'failed').length >= 3;

export const limitNames: Readonly<Record<string, string>> = {
  perTenMinutes: 'Questions in 10 minutes',
  perDay: 'Questions in 24 hours',
  withdrawnPerHour: 'Withdrawn in an hour',
  unsuccessfulInARow: 'Not confirmed in a row',
  notMe: 'Pause after “this was not me”',
  openPerDevice: 'Open on a device',
};

export const isReached = ({ reachedUntil }: Limit): boolean => reachedUntil !== undefined;

export const recoveryLabels: Readonly<Record<Recovery['state'], Label & { meaning: string }>> = {
  requested: {
    label: 'Waits for a second person',
    tone: 'warn',
    meaning: 'Another member of staff must agree. Until then nothing is allowed.',
  },
  allowed: {
    label: 'Allowed',
    tone: 'good',
    meaning:
      'The website can enrol one device for this user. All devices of the user were told, and can stop it.',
  },
  used: { label: 'Used', tone: 'neutral', meaning: 'The website has made a code with it.' },
  stopped: {
    label: 'Stopped',
    tone: 'bad',
    meaning: 'The user stopped it on a device, or a member of staff withdrew it.',
  },
  expired: { label: 'Expired', tone: 'neutral', meaning: 'Nobody used it within 24 hours.' },
};

/** What a question to a caller says about the caller. */
export function verdictOn({ isCaller, status, reason, comparison }: Check): Label & { meaning: string } {
  if (isCaller)
    return {
      label: 'It is the person with the device',
      tone: 'good',
      meaning: 'The number was right, and the device confirmed.',
    };
  if (status === 'denied')
    return {
      label: 'It is not the person on the phone',
      tone: 'bad',
      meaning:
        reason === 'not_me'
          ? 'Whoever has the device says: this was not me. End the call, and think about suspending the user.'
          : 'Whoever has the device denied it.',
    };
  if (comparison === 'wrong')
    return {
      label: 'The number is wrong',
      tone: 'bad',
      meaning: 'Three numbers were wrong. Treat the caller as a stranger.',
    };
  if (status === 'expired')
    return {
      label: 'No answer',
      tone: 'warn',
      meaning: 'The device did not answer in time. That proves nothing.',
    };
  if (status !== 'pending' && status !== 'confirmed')
    return { label: 'It has ended', tone: 'warn', meaning: 'Ask again.' };
  return comparison === 'matches'
    ? { label: 'The number is right', tone: 'info', meaning: 'Ask the caller to confirm on the device, too.' }
    : {
        label: 'Asked',
        tone: 'info',
        meaning: 'A number is on the device. Ask the caller to read it out. You cannot see it.',
      };
}

export const exportLabels: Readonly<Record<ExportState, Label>> = {
  active: { label: 'Active', tone: 'good' },
  degraded: { label: 'Delayed', tone: 'warn' },
  parked: { label: 'Refused: events wait', tone: 'bad' },
  paused: { label: 'Paused', tone: 'neutral' },
  validating: { label: 'Being tested', tone: 'info' },
};

export const categoryNames = { public: 'public events', log: 'log events' } as const;
