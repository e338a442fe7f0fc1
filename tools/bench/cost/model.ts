/** What AWS bills for each step of a confirmation, and for events, in the units of `prices`. */
import { isTraced } from '../../../lambdas/registered.ts';
import { exampleAnswers } from './story.ts';
import { coldStarts, lines, milliseconds, prices, regions, web, withCallbacks } from './data.ts';
import type { Assumptions, Quantity, Region } from './data.ts';
import { evidentBytes, indexedBytes, itemSizes } from './items.ts';
import { requests, type RequestName, type Trip } from './round-trips.ts';
import * as units from './units.ts';

export type Usage = Partial<Record<Quantity, number>>;
export type Usages = Record<string, Usage>;

const entriesOf = (usage: Usage) => Object.entries(usage) as [Quantity, number][];

export function sum(...usages: readonly Usage[]): Usage {
  const total: Usage = {};
  for (const [quantity, amount] of usages.flatMap(entriesOf))
    total[quantity] = (total[quantity] ?? 0) + amount;
  return total;
}
export const total = (usages: Usages): Usage => sum(...Object.values(usages));
export const times = (factor: number, usage: Usage): Usage =>
  Object.fromEntries(entriesOf(usage).map(([quantity, amount]) => [quantity, factor * amount]));

/** What the model counts in the unit of a price: the unit begins with the name of its size. */
const unitSizes: Record<string, number> = { million: 1e6, thousand: 1e3, GB: units.kilobyte ** 3 };

/** USD for an amount of a quantity; storage is in byte-months. */
export function costOf(quantity: Quantity, amount: number, region: Region): number {
  const [, unit, , ...usd] = prices[quantity];
  return (amount / (unitSizes[/^\w+/.exec(unit)?.[0] ?? ''] ?? 1)) * Number(usd[regions.indexOf(region)]);
}
export const priceOf = (usage: Usage, region: Region): number =>
  entriesOf(usage).reduce((usd, [quantity, amount]) => usd + costOf(quantity, amount, region), 0);

/** What a client sends to open a TLS connection, and the headers of a webhook. */
export const [handshakeBytes, webhookBytes] = [1_000, 281];
/** The headers that API Gateway sends over HTTP/1.1, with those of every answer. */
const headerBytes = 272;
/** A message of a queue takes three calls of SQS, which take up to ten messages each. */
const queued = (batch: number): number => 3 / Math.min(10, batch);

const answerBytes = (answer: object): number => headerBytes + Buffer.byteLength(JSON.stringify(answer));

/** A call of the API with so many bytes in its answer, without the Lambda. Only HTTP APIs are billed by size. */
export const apiCall = (answer: object | number, { api }: Assumptions): Usage => {
  const bytes = typeof answer === 'number' ? answer : answerBytes(answer);
  const calls = api === 'http' ? { httpApiCalls: units.steps(bytes, 512) } : { restApiCalls: 1 };
  return { ...calls, transferBytes: bytes, logBytes: lines.access };
};

export function invocation(duration: number, { megabytes, traced, systemLogs }: Assumptions): Usage {
  const gigabyteSeconds = (ms: number): number => (Math.ceil(ms) / 1_000) * (megabytes / 1_024);
  return {
    lambdaRequests: 1,
    lambdaGigabyteSeconds:
      gigabyteSeconds(duration) + coldStarts.share * gigabyteSeconds(coldStarts.milliseconds),
    traces: traced,
    logBytes: systemLogs ? lines.invocation : 0,
  };
}

/** The copy of an item in an index is a separate write, which a transaction does not double. */
export const indexWriteUnits = (bytes: number, { indexProjection }: Assumptions): number =>
  indexProjection === 'keys' ? 1 : units.writeUnits(bytes);

/** The usage of a call to AWS. */
export function usageOf({ operation, items, isEventual }: Trip, assumed: Assumptions): Usage {
  const sizes = items.map((item) => itemSizes[item]);
  const indexed = items.filter((item) => item.startsWith('event'));
  const copies = indexed.reduce((sum, item) => sum + indexWriteUnits(itemSizes[item], assumed), 0);
  const byOperation: Record<string, Usage> = {
    GetItem: { dynamoReads: units.batchReadUnits(sizes) },
    BatchGetItem: { dynamoReads: units.batchReadUnits(sizes) * (isEventual ? 0.5 : 1) },
    Query: { dynamoReads: units.queryReadUnits(sizes) },
    UpdateItem: { dynamoWrites: units.transactionWriteUnits(sizes) / 2 },
    TransactWriteItems: { dynamoWrites: units.transactionWriteUnits(sizes) + copies },
    Publish: { snsRequests: 1, snsPushes: 1 },
    Sign: { kmsSignatures: 1 },
  };
  // Records of a target are billed by their bytes (`delivery`), and calls that wait for it are rare.
  return byOperation[operation] ?? {};
}

export const trips = (name: RequestName, assumed: Assumptions): Usage =>
  sum(...requests[name].trips.map((trip) => usageOf(trip, assumed)));

/** The usage of a Lambda for one request, with its calls to AWS. */
function answered(name: RequestName & keyof typeof milliseconds, assumed: Assumptions): Usage {
  const traced = isTraced(requests[name].lambda) ? assumed.traced : 0;
  return sum(invocation(milliseconds[name], { ...assumed, traced }), trips(name, assumed));
}

/** Lambda reads the stream free of charge. A Lambda sends the event's message to a queue, and another one takes it. */
export function fromStream(name: 'alarm' | 'callback', assumed: Assumptions): Usage {
  const { batch } = assumed;
  return sum(
    times(1 / batch, invocation(milliseconds.schedule, assumed)),
    times(1 / Math.min(10, batch), invocation(milliseconds[name], assumed)),
    trips(name, assumed),
    { sqsRequests: queued(batch), logBytes: lines.application * (1 + 1 / batch) },
  );
}

const { nonce: _, matchCode: __, ...reported } = { matchCode: '', ...exampleAnswers.confirmed };
const callbackBody = { type: 'confirmation.confirmed', timestamp: reported.createdAt, data: reported };
export const callbackBytes = handshakeBytes + webhookBytes + Buffer.byteLength(JSON.stringify(callbackBody));

/** The Lambda waits for the slowest of the callbacks of a batch. It keeps the secrets that it opened. */
export const callback = (assumed: Assumptions): Usage =>
  sum(fromStream('callback', assumed), {
    transferBytes: callbackBytes,
    kmsRequests: coldStarts.share,
    logBytes: lines.metric / Math.min(10, assumed.batch),
  });

/** DynamoDB adds 100 bytes to an item: "Item sizes and formats" in its guide. Days of a month of 30 days, in byte-months. */
export const stored = (bytes: number, days: number): number => ((bytes + 100) * days) / 30;

/** Confirmations and events expire. Devices stay and are not part of a confirmation. */
function storage({ indexProjection }: Assumptions): Usage {
  const events = [itemSizes['event, sent'], itemSizes['event, confirmed']];
  const all = (sizes: number[]): number => sizes.reduce((sum, bytes) => sum + stored(bytes, 14), 0);
  const table = stored(itemSizes['confirmation, decided'], 1) + all(events);
  return {
    dynamoStorage: table + all(indexProjection === 'all' ? events : indexedBytes),
    dynamoBackup: table,
  };
}

/** What the longer event of the answer adds. The index copies none of it. */
function evidence(): Usage {
  const [more, usual] = [evidentBytes, itemSizes['event, confirmed']];
  const bytes = ((more - usual) * 14) / 30;
  const writes = units.transactionWriteUnits([more]) - units.transactionWriteUnits([usual]);
  return { dynamoWrites: writes, dynamoStorage: bytes, dynamoBackup: bytes };
}

/** The exporter's part for an event, if a batch has this number of a target's events. Streams and buckets cost the same. */
export const exporter = (count: number, assumed: Assumptions): Usage =>
  times(
    1 / count,
    sum(invocation(milliseconds.export, assumed), trips('exportToStream', assumed), {
      logBytes: lines.application + lines.metric,
    }),
  );

function polling(assumed: Assumptions): Usage {
  const poll = (answer: object): Usage => {
    const { transferBytes = 0, ...rest } = apiCall(answer, assumed);
    return sum({ transferBytes }, assumed.pollsBy === 'api' ? rest : {}, answered('poll', assumed));
  };
  const { pending, confirmed } = exampleAnswers;
  // The last poll gets the evidence.
  return assumed.polls === 0 ? {} : sum(times(assumed.polls - 1, poll(pending)), poll(confirmed));
}

/** One list, one send, the polls or the callback, one fetch and one answer of the device, and the work that follows. */
export function confirmation(assumed: Assumptions): Usages {
  const { polls, authorizerMisses, callbacks, evidenceInEvents } = assumed;
  const called = (name: Parameters<typeof answered>[0], answer: object, own: Usage = {}): Usage =>
    sum(apiCall(answer, assumed), answered(name, assumed), own);
  const authorized = sum(answered('authorize', assumed), { logBytes: lines.application });
  return {
    authorize: times((2 + polls) * authorizerMisses, authorized),
    'list devices': called('list', exampleAnswers.devices),
    send: called('send', exampleAnswers.accepted, { logBytes: lines.metric }),
    polls: polling(assumed),
    'fetch challenge': called('fetch', exampleAnswers.challenges),
    answer: called('answer', exampleAnswers.answered),
    'expiry alarm': fromStream('alarm', assumed),
    ...(callbacks && { callback: callback(assumed) }),
    // The target's own price is in the table of exported events.
    'export of its events': times(indexedBytes.length, exporter(assumed.batch, assumed)),
    storage: storage(assumed),
    ...(evidenceInEvents && { 'evidence in events': evidence() }),
  };
}
export const perConfirmation = (assumed: Assumptions): Usage => total(confirmation(assumed));

/** A user who is asked by CIBA, with a client's secret. The last of the polls gets the tokens, which KMS signs. */
export function byCiba(assumed: Assumptions): Usages {
  const called = (name: 'cibaAsk' | 'cibaPoll' | 'cibaRedeem', bytes: number, metrics = 0): Usage =>
    sum(apiCall(bytes, assumed), answered(name, assumed), { logBytes: metrics * lines.metric });
  const { authorize: _, 'list devices': __, send: ___, ...rest } = confirmation(assumed);
  return {
    ...{ 'ask (`/bc-authorize`)': called('cibaAsk', 600, 2), ...rest },
    polls: times(Math.max(0, assumed.polls - 1), called('cibaPoll', 600)),
    'tokens (`/oauth/token`), with two signatures': called('cibaRedeem', 4_500, 1),
  };
}

/** With a ping in place of the polls. Its token is encrypted when it arrives, and decrypted when it is sent. */
export const byPing = (assumed: Assumptions): Usages => ({
  ...byCiba({ ...assumed, polls: 1 }),
  ping: sum(callback({ ...assumed, ...withCallbacks }), { kmsRequests: 2 }),
});

/** CloudFront asks S3 for files that it may not answer by itself. */
export const webFiles = (files: number, bytes: number): Usage => ({
  ...{ cloudFrontRequests: files, cloudFrontBytes: bytes, s3Reads: files },
});

/** Steps in which a confirmation on a device of the web app differs from one on a phone with a native app. */
export function webDifference(assumed: Assumptions): Usages {
  const lambdaGigabyteSeconds = (milliseconds.webPush * assumed.megabytes) / (1_000 * 1_024);
  const { challenges, answered } = exampleAnswers;
  const answers = answerBytes(challenges) + answerBytes(answered) + web.settingsBytes;
  return {
    'no push by SNS': { snsRequests: -1, snsPushes: -1 },
    // A Lambda reads the key when it starts.
    'web push': { lambdaGigabyteSeconds, transferBytes: web.pushBytes, secretReads: coldStarts.share },
    "opening of the app's files": webFiles(web.filesOfAnOpening, web.filesOfAnOpening * web.unchangedBytes),
    // The settings are in CloudFront's cache.
    'calls through CloudFront': { cloudFrontRequests: 3, cloudFrontBytes: answers },
  };
}
