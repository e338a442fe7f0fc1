/**
 * The calls to AWS of each successful request and of each batch of the export, in order. `test/contract/round-trips` compares
 * them with the calls on the local stack, and the cost model multiplies them by prices.
 */
import type { LambdaName } from '../../../lambdas/registered.ts';
import type { ItemName } from './items.ts';

/** A call with its items. Calls without items are billed by their bytes, or not at all. */
export type Trip = { operation: string; items: readonly ItemName[]; isEventual?: true };
export type Request = { lambda: LambdaName; trips: readonly Trip[] };

const call =
  (operation: string) =>
  (...items: ItemName[]): Trip => ({ operation, items });
const [get, query, batchGet] = [call('GetItem'), call('Query'), call('BatchGetItem')];
const [update, transact] = [call('UpdateItem'), call('TransactWriteItems')];
/** Signs an ID token or an access token. */
const sign = call('Sign')();
const push = call('Publish')();
const threeTimes = (...items: ItemName[]): ItemName[] => [...items, ...items, ...items];
const by = (lambda: LambdaName, ...trips: Trip[]): Request => ({ lambda, trips });

/** The calls of `send-to-user` are the same. */
const sending = [transact('confirmation, pending', 'history, open', 'event, sent'), call('Publish')()];
/** A user with one device. The same calls read more devices. */
const readUser = query('device', 'history, closed');
const readTarget = batchGet('target');
/** Counts events for `target status`. */
const count = update('target');

export const requests = {
  authorize: by('authorize', get('client')),
  list: by('list-devices', readUser),
  send: by('send-to-device', readUser, ...sending),
  poll: by('get-confirmation', get('confirmation, decided')),
  /** By a device that was seen within five minutes. Otherwise there is one more update. */
  fetch: by(
    'list-challenges',
    batchGet('device', 'history, open', 'no suspension'),
    update('confirmation, opened'),
  ),
  answer: by(
    'answer-challenge',
    batchGet('device', 'history, open', 'no suspension', 'confirmation, opened'),
    transact('confirmation, decided', 'history, closed', 'event, confirmed'),
  ),
  /** The expiry message of an answered confirmation: it reads and finds nothing to do. */
  alarm: by('expire-confirmation', get('confirmation, decided')),
  /** One of a batch of callbacks, to a receiver that is known to be quick. */
  callback: by('deliver-callback', get('confirmation, decided'), {
    ...batchGet('client', 'receiver'),
    isEventual: true,
  }),
  /** Both devices of a user are asked, and the first answer replaces the notification of the other. */
  sendToBoth: by(
    'send-to-user',
    query('device', 'device', 'history, closed'),
    transact('confirmation, of two devices', 'history, open on two devices', 'event, sent'),
    ...[push, push],
  ),
  answerOfBoth: by(
    'answer-challenge',
    batchGet('device', 'history, open on two devices', 'no suspension', 'confirmation, opened'),
    transact('confirmation, decided', 'history, closed', 'event, confirmed'),
    query('device', 'device', 'history, closed'),
    push,
  ),
  /** Three users with a device each, of whom two must confirm. */
  askGroup: by(
    'request-group',
    get('no suspension'),
    ...[readUser, readUser, readUser],
    transact(
      ...(['confirmation, group', 'confirmation, nonce of a group', 'event, group requested'] as const),
      ...threeTimes('confirmation, vote', 'history, open', 'event, vote sent'),
    ),
    ...[push, push, push],
  ),
  vote: by(
    'answer-challenge',
    batchGet('device', 'history, open', 'no suspension', 'confirmation, vote'),
    get('confirmation, group'),
    transact('confirmation, vote decided', 'history, closed', 'event, vote confirmed', 'confirmation, group'),
  ),
  /** The third vote is cancelled, and its notification replaced. */
  decidingVote: by(
    'answer-challenge',
    batchGet('device', 'history, open', 'no suspension', 'confirmation, vote'),
    get('confirmation, group'),
    batchGet('confirmation, vote', 'confirmation, vote decided'),
    batchGet('history, open', 'history, closed'),
    transact(
      ...(['confirmation, vote decided', 'history, closed', 'event, vote confirmed'] as const),
      ...(['confirmation, vote', 'history, closed', 'event, vote cancelled'] as const),
      ...(['confirmation, group', 'event, group approved'] as const),
    ),
    readUser,
    push,
  ),
  /** Calls of OpenID Connect clients. */
  cibaAsk: by('bc-authorize', query('client'), readUser, ...sending),
  cibaPoll: by('oauth-token', query('client'), update('confirmation, opened')),
  /** DynamoDB bills the first update, too, whose condition fails: it finds that the user has answered. */
  cibaRedeem: by(
    'oauth-token',
    query('client'),
    update('confirmation, decided'),
    sign,
    sign,
    update('confirmation, decided'),
  ),
  /**
   * For a batch with any number of events of one target. Each other target of the batch adds its own delivery and count. The
   * table leaves out the polls of Lambda, and the call that assumes a stream's role once an hour.
   */
  exportToStream: by('export-events', readTarget, call('PutRecords')(), count),
  exportToBucket: by('export-events', readTarget, call('PutRecordBatch')(), count),
  /** The calls of its receiver are not AWS's. */
  exportToWebhook: by('export-events', readTarget, count),
  /** For a target with waiting events. */
  park: by('export-events', readTarget, call('SendMessageBatch')(), count),
  /** While the target accepts no events. */
  wait: by('redeliver-events', readTarget, call('ChangeMessageVisibilityBatch')()),
  /** The last waiting record: the lane's watermark, and the state of the target. */
  redeliver: by('redeliver-events', readTarget, call('PutRecords')(), count, count),
} satisfies Record<string, Request>;

export type RequestName = keyof typeof requests;

/** The calls in the form of the local stack's records: `lambda: Operation`. */
export const callsOf = (name: RequestName): string[] =>
  requests[name].trips.map(({ operation }) => `${requests[name].lambda}: ${operation}`);
