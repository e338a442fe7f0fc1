import type { Tone } from '#ui/states.tsx';
import { type TargetNames, targetNames } from '../../../../core/export/kinds/target-names.ts';
import type { TokenProblem } from '../api/access-token.ts';
import type { SessionKind } from '../state/state.ts';
import type { Category, Export, ExportState, LastTest, Policy, Replay } from '../api/shapes.ts';

export const categoryNames: Record<Category, string> = { public: 'Public events', log: 'Log events' };

type Label = { label: string; tone: Tone; meaning: string };

/** A state in words and in a colour. */
export const stateLabels: Record<ExportState, Label> = {
  active: { label: 'Active', tone: 'good', meaning: 'Events are delivered as they come.' },
  validating: {
    label: 'Validating',
    tone: 'info',
    meaning: 'Events wait until a test has shown that the destination is yours and takes events.',
  },
  degraded: {
    label: 'Degraded',
    tone: 'warn',
    meaning: 'Events are delivered with a delay. This passes by itself.',
  },
  parked: {
    label: 'Parked',
    tone: 'bad',
    meaning: 'The destination refuses events. They wait, for 14 days at most.',
  },
  paused: { label: 'Paused', tone: 'neutral', meaning: 'Events wait until the export is resumed.' },
};

/** A later service may have more states. */
export const labelOf = (state: string): Label =>
  (stateLabels as Partial<Record<string, Label>>)[state] ?? { label: state, tone: 'neutral', meaning: '' };

export const actorLabels: Record<NonNullable<Export['action']>['who'], string> = {
  tenant: 'You must act',
  operator: 'The operator must act',
  nobody: 'Nobody needs to act',
};

export const outcomeLabels: Record<LastTest['outcome'], { label: string; tone: Tone }> = {
  waiting: { label: 'The test waits for its turn.', tone: 'info' },
  running: { label: 'The test is running.', tone: 'info' },
  passed: { label: 'The test has passed.', tone: 'good' },
  failed: { label: 'The test has failed.', tone: 'bad' },
  postponed: { label: 'The test was postponed.', tone: 'warn' },
};

export const replayLabels: Record<Replay['state'], { label: string; tone: Tone }> = {
  running: { label: 'Running', tone: 'info' },
  done: { label: 'Done: everything is on its way', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
};

const documents: Record<string, string> = {
  trustPolicy: 'The trust policy of your role',
  permissionPolicy: 'The permissions of your role',
  bucketPolicy: 'The policy of your bucket',
  keyPolicy: 'The policy of your key',
};

export const documentName = ({ document }: Policy): string => documents[document] ?? document;

type Destination = Export['destination'];

/** A later service may have more kinds. */
const namesOf = ({ kind }: Destination) =>
  (targetNames as Partial<Record<string, TargetNames>>)[kind] ?? {
    title: kind,
    name: '',
    parts: {},
    isOrdered: false,
  };

/** Whether consumers of this destination get the events of an aggregate in order. */
export const isOrdered = (destination: Destination): boolean => namesOf(destination).isOrdered;

export const kindText = (destination: Destination): string =>
  destination.kind === 'none' ? 'Nowhere: these events are not exported' : namesOf(destination).title;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** What tells it from others: the stream, the bucket, the URL. */
export function destinationName(destination: Destination): string {
  const name = textOf(destination[namesOf(destination).name]) ?? '';
  return name.startsWith('arn:') ? (name.split('/').at(-1) ?? name) : name;
}

/** All parts of a destination that the page knows. */
export const destinationParts = (destination: Destination): [name: string, value: string][] =>
  Object.entries(namesOf(destination).parts).flatMap(([member, name]) => {
    const value = textOf(destination[member]);
    return value === undefined ? [] : [[name, value]];
  });

/** Why a session is over. */
export const endings: Record<
  SessionKind,
  { expired: (time: string) => string; ended: string; empty: string }
> = {
  token: {
    expired: (time) => `Your token expired on ${time}. Paste a new one.`,
    ended: 'The service no longer accepts this token. Paste a new one.',
    empty: 'This token does not allow reading exports. Paste another one.',
  },
  member: {
    expired: (time) => `Your sign-in ended on ${time}. Sign in again.`,
    ended: 'Your sign-in has ended. Sign in again.',
    empty: 'You are not in the group of exactly one tenant whose exports you may see. Ask the operator.',
  },
};

export function tokenProblemText(problem: TokenProblem): string {
  if (problem === 'empty') return 'Paste an access token first.';
  if (problem === 'not-a-token')
    return 'This is not an access token. It must be complete: three parts with dots between them.';
  if (problem === 'expired') return 'This token has expired. Ask for a new one.';
  if ('missing' in problem) return `This token lacks the scope ${problem.missing}, so it shows nothing here.`;
  return `This token can do more than this page needs: ${problem.tooMuch.join(', ')}. Ask for a token with the scopes omi:exports:get and omi:exports:post alone.`;
}
