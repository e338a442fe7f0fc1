import { isTraced } from '../../../lambdas/registered.ts';
import { answerBytes } from './answers.ts';
import type { Assumptions } from './assumptions.ts';
import { callback } from './callback.ts';
import { exporter } from './events.ts';
import { eventWithEvidence, indexedBytes, itemSizes, ownEvents } from './items.ts';
import { logBytes } from './log-lines.ts';
import { requests, type RequestName } from './round-trips.ts';
import { apiCall, invocation, sum, times, trips, type Usage } from './usage.ts';
import { messageRequests, transactionWriteUnits } from './units.ts';

/** The usage of one confirmation by step. */
export type Steps = Record<string, Usage>;

/** The authorizer's log line and the metric of a push. */
const ownLines: Partial<Record<RequestName, Usage>> = {
  authorize: { logBytes: logBytes.application },
  send: { logBytes: logBytes.metric },
};

/** The usage of a Lambda for one request, with its calls to AWS. */
function answered(name: RequestName, assumed: Assumptions): Usage {
  const traced = isTraced(requests[name].lambda) ? assumed.traced : 0;
  const call = invocation(assumed.durations[name], { ...assumed, traced });
  return sum([call, trips(requests[name], assumed), ownLines[name] ?? {}]);
}

const request = (name: RequestName & keyof typeof answerBytes, assumed: Assumptions): Usage =>
  sum([apiCall(answerBytes[name], assumed), answered(name, assumed)]);

function poll(bytes: number, assumed: Assumptions): Usage {
  const call = assumed.pollsBy === 'api' ? apiCall(bytes, assumed) : { transferBytes: bytes };
  return sum([call, answered('poll', assumed)]);
}

function polling(assumed: Assumptions): Usage {
  if (assumed.polls === 0) return {};
  return sum([
    times(assumed.polls - 1, poll(answerBytes.poll, assumed)),
    poll(answerBytes.lastPoll, assumed),
  ]);
}

/** Lambda reads the stream free of charge: "DynamoDB Streams", https://aws.amazon.com/dynamodb/pricing/. */
function alarm(assumed: Assumptions): Usage {
  const { batch, durations } = assumed;
  // A call of SQS sends, receives or deletes up to ten messages.
  const calls = 3 / Math.min(10, batch);
  return sum([
    times(1 / batch, invocation(durations.schedule, assumed)),
    times(1 / Math.min(10, batch), invocation(durations.alarm, assumed)),
    trips(requests.alarm, assumed),
    { sqsRequests: calls * messageRequests(200), logBytes: logBytes.application * (1 + 1 / batch) },
  ]);
}

/** The exporter's part. The target's own price is in the table of exported events. */
const exported = (assumed: Assumptions): Usage => times(ownEvents, exporter(assumed.batch, assumed));

/** DynamoDB adds these bytes to a stored item: "Item sizes and formats" in its guide. */
const storedOverhead = 100;
const confirmationDays = 1;
const eventDays = 14;
const monthDays = 30;

/** In byte-months. Confirmations and events expire. Devices stay and are not part of a confirmation. */
function storage({ indexProjection }: Assumptions): Usage {
  const events = itemSizes['event, sent'] + itemSizes['event, confirmed'] + 2 * storedOverhead;
  const confirmation = itemSizes['confirmation, decided'] + storedOverhead;
  const table = (confirmation * confirmationDays + events * eventDays) / monthDays;
  const keys = indexedBytes.reduce((sum, bytes) => sum + bytes + storedOverhead, 0);
  const copy = { all: events, keys, none: 0 }[indexProjection];
  return { dynamoStorage: table + (copy * eventDays) / monthDays, dynamoBackup: table };
}

/** What the longer event of the answer adds. The index copies none of it. */
function evidence(): Usage {
  const [long, usual] = [eventWithEvidence, itemSizes['event, confirmed']];
  const stored = ((long - usual) * eventDays) / monthDays;
  return {
    dynamoWrites: transactionWriteUnits([long]) - transactionWriteUnits([usual]),
    dynamoStorage: stored,
    dynamoBackup: stored,
  };
}

/** One list, one send, the polls or the call-back, one fetch and one answer of the device, and the work that follows. */
export function confirmation(assumed: Assumptions): Steps {
  const { polls, authorizerMisses } = assumed;
  const websiteCalls = 2 + polls;
  return {
    authorize: times(websiteCalls * authorizerMisses, answered('authorize', assumed)),
    'list devices': request('list', assumed),
    send: request('send', assumed),
    polls: polling(assumed),
    'fetch challenge': request('fetch', assumed),
    answer: request('answer', assumed),
    'expiry alarm': alarm(assumed),
    ...(assumed.callbacks && { 'call-back': callback(assumed) }),
    'export of its events': exported(assumed),
    storage: storage(assumed),
    ...(assumed.evidenceInEvents && { 'evidence in events': evidence() }),
  };
}

export const total = (steps: Steps): Usage => sum(Object.values(steps));
