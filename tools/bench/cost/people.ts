/** What it costs to ask all devices of a user, or several users. */
import { exampleAnswers } from './story.ts';
import { type Assumptions, lines, milliseconds, withCallbacks } from './data.ts';
import { indexedBytes, itemSizes, type ItemName } from './items.ts';
import * as model from './model.ts';
import { requests, type RequestName } from './round-trips.ts';
import type { Usage, Usages } from './model.ts';

/** A call of the API with its Lambda. */
const called = (name: RequestName, ms: number, answer: object, assumed: Assumptions): Usage =>
  model.sum(model.apiCall(answer, assumed), model.invocation(ms, assumed), model.trips(name, assumed));

const [copyBytes = 0] = indexedBytes;

/** The items that a question leaves: confirmations for a day, events for 14. */
function kept(names: readonly ItemName[], { indexProjection }: Assumptions): Usage {
  const days = (name: ItemName): number => (name.startsWith('event') ? 14 : 1);
  const table = names.reduce((sum, name) => sum + model.stored(itemSizes[name], days(name)), 0);
  const copies = names
    .filter((name) => name.startsWith('event'))
    .reduce(
      (sum, name) => sum + model.stored(indexProjection === 'all' ? itemSizes[name] : copyBytes, 14),
      0,
    );
  return { dynamoStorage: table + copies, dynamoBackup: table };
}

type Question = {
  ask: RequestName;
  answers: readonly RequestName[];
  /** Devices that fetch the question. */
  fetches: number;
  /** Each has an alarm for its expiry. */
  expiring: number;
  kept: readonly ItemName[];
};

const questions: Record<string, Question> = {
  'one device of a user': {
    ...{ ask: 'send', answers: ['answer'], fetches: 1, expiring: 1 },
    kept: ['confirmation, decided', 'event, sent', 'event, confirmed'],
  },
  'both devices of a user': {
    ...{ ask: 'sendToBoth', answers: ['answerOfBoth'], fetches: 2, expiring: 1 },
    kept: ['confirmation, decided', 'event, sent', 'event, confirmed'],
  },
  'a group of three, of whom two must confirm': {
    ...{ ask: 'askGroup', answers: ['vote', 'decidingVote'], fetches: 3, expiring: 4 },
    kept: [
      ...(['confirmation, group', 'confirmation, nonce of a group', 'confirmation, vote'] as const),
      ...(['confirmation, vote decided', 'confirmation, vote decided'] as const),
      ...(['event, group requested', 'event, vote sent', 'event, vote sent', 'event, vote sent'] as const),
      ...(['event, vote confirmed', 'event, vote confirmed', 'event, vote cancelled'] as const),
      'event, group approved',
    ],
  },
};

function usageOf({ ask, answers, fetches, expiring, kept: left }: Question, assumed: Assumptions): Usage {
  const pushes = requests[ask].trips.filter(({ operation }) => operation === 'Publish').length;
  const misses = assumed.authorizerMisses;
  const events = left.filter((name) => name.startsWith('event')).length;
  return model.sum(
    model.times(
      misses,
      model.sum(model.invocation(milliseconds.authorize, assumed), model.trips('authorize', assumed)),
    ),
    called(ask, milliseconds.send, exampleAnswers.accepted, assumed),
    { logBytes: pushes * lines.metric },
    model.times(fetches, called('fetch', milliseconds.fetch, exampleAnswers.challenges, assumed)),
    ...answers.map((name) => called(name, milliseconds.answer, exampleAnswers.answered, assumed)),
    model.times(expiring, model.fromStream('alarm', assumed)),
    model.callback(assumed),
    model.times(events, model.exporter(assumed.batch, assumed)),
    kept(left, assumed),
  );
}

/** With callbacks in place of polls, and no list of devices before. */
export const people = (assumed: Assumptions): Usages =>
  Object.fromEntries(
    Object.entries(questions).map(([what, question]) => [
      what,
      usageOf(question, { ...assumed, ...withCallbacks }),
    ]),
  );
