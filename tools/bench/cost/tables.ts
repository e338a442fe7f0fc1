/** The sections of docs/scaling.md, by the names of their markers. */
import { indexShards } from '../../../core/events/event-keys.ts';
import { formatNumber, formatPercent, formatTable } from '../report.ts';
import {
  assumptions,
  coldStarts,
  firstLoad,
  lookedUp,
  milliseconds,
  onRestApi,
  prices,
  quotas,
} from './data.ts';
import {
  regions,
  variants,
  web,
  withCallbacks,
  type Assumptions,
  type Quantity,
  type Region,
} from './data.ts';
import { copies } from './copies.ts';
import * as events from './events.ts';
import * as fixed from './fixed.ts';
import { log } from './log.ts';
import { exportedBytes, itemSizes, type ItemName } from './items.ts';
import * as model from './model.ts';
import type { Usage, Usages } from './model.ts';
import { people } from './people.ts';
import { requests, type RequestName } from './round-trips.ts';
import { steps, transactionWriteUnits } from './units.ts';

/** At most so many USD for a million confirmations, and with callbacks in place of polls in us-east-1. */
export const goal = 25;
export const callbackGoal = 24;

export const costOfMillion = (assumed: Assumptions, region: Region): number =>
  1_000_000 * model.priceOf(model.perConfirmation(assumed), region);

/** A row for each usage, with its USD in each region. */
const usdTable = (head: string, usages: Usages, factor = 1_000_000, digits = 2): string =>
  formatTable(
    Object.entries(usages).map(([what, usage]) => ({
      [head]: what,
      ...Object.fromEntries(
        regions.map((region) => [region, (factor * model.priceOf(usage, region)).toFixed(digits)]),
      ),
    })),
  );
const withSum = (usages: Usages): Usages => ({ ...usages, all: model.total(usages) });
const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

/** The usage that the design always needs, by what is billed: without reads, computing and logs. */
export function floor({ polls }: Assumptions): Usages {
  const calls = 4 + polls;
  return {
    [`${calls} calls of an HTTP API`]: { httpApiCalls: calls },
    [`${calls} calls of a Lambda`]: { lambdaRequests: calls },
    'a push': { snsRequests: 1, snsPushes: 1 },
    'two transactions of a confirmation, the user’s history and an event, at 1 KB each': {
      dynamoWrites: 2 * transactionWriteUnits([1, 1, 1]),
    },
  };
}

function goals(assumed: Assumptions, most: number, its: readonly Region[]): string {
  const of = (region: Region): string => {
    const usd = costOfMillion(assumed, region);
    return `${region} ${usd.toFixed(2)} USD, ${usd <= most ? 'within it' : `${(usd - most).toFixed(2)} above it`}`;
  };
  return `at most ${most} USD per million confirmations. ${its.map(of).join('; ')}.`;
}

/** USD per million confirmations by what is billed. */
function parts(assumed: Assumptions, region: Region): string {
  const [ours, quiet, rest] = [{}, withCallbacks, onRestApi].map((changes) =>
    model.perConfirmation({ ...assumed, ...changes }),
  );
  const row = (name: string, usd: (usage?: Usage) => number) => ({
    'billed as': name,
    USD: usd(ours).toFixed(2),
    share: formatPercent(usd(ours) / costOfMillion(assumed, region)),
    'with callbacks': usd(quiet).toFixed(2),
    'REST API, authorizer not cached': usd(rest).toFixed(2),
  });
  const billed = (Object.keys(prices) as Quantity[]).filter((name) => name in { ...ours, ...quiet, ...rest });
  return formatTable([
    ...billed.map((name) =>
      row(nameOf(name, region), (usage = {}) => model.costOf(name, 1_000_000 * (usage[name] ?? 0), region)),
    ),
    row('all', (usage = {}) => 1_000_000 * model.priceOf(usage, region)),
  ]);
}
const nameOf = (name: Quantity, region: Region): string =>
  `${prices[name][0]}${typeof prices[name].at(3 + regions.indexOf(region)) === 'string' ? ' (?)' : ''}`;

/** USD per million exported events, by the number of a target's events in a batch. */
function exported(assumed: Assumptions, region: Region): string {
  const row = (name: string, count: number, sizesOf: (to: events.Destination) => number[]) => {
    const usd = (usage: Usage): string => (1_000_000 * model.priceOf(usage, region)).toFixed(2);
    const [stream, bucket] = [sizesOf('stream'), sizesOf('bucket')];
    return {
      'events of a target in a batch': name,
      'exporter (ours)': usd(model.exporter(count, assumed)),
      'Kinesis (the tenant’s)': usd(events.delivery(stream, 'stream', count)),
      'Firehose (ours)': usd(events.delivery(bucket, 'bucket', count)),
    };
  };
  const packed = [1, 10, 100, 1_000].map((n) => row(`${n}`, n, (to) => events.recordSizes(n, to)));
  const single = row('1,000, one per record', 1_000, () =>
    events.recordSizes(1, 'stream').concat(Array(999).fill(events.eventBytes)),
  );
  return `Events of ${events.eventBytes} bytes.\n\n${formatTable([...packed, single])}`;
}

const byCount = (counts: readonly number[], usageOf: (count: number) => Usage): Usages =>
  Object.fromEntries(counts.map((count) => [count.toLocaleString('en-GB'), usageOf(count)]));

/** The demand of one confirmation on everything that has a quota. */
export function demand(assumed: Assumptions): Record<string, number> {
  const usage = model.perConfirmation(assumed);
  const { polls, authorizerMisses, callbacks, batch, megabytes } = assumed;
  const often: Partial<Record<RequestName, number>> = {
    ...{ authorize: (2 + polls) * authorizerMisses, list: 1, send: 1, poll: polls, fetch: 1, answer: 1 },
    ...{ alarm: 1, callback: Number(callbacks), exportToStream: exportedBytes.length / batch },
  };
  const { httpApiCalls = 0, restApiCalls = 0, lambdaGigabyteSeconds = 0, snsPushes = 0 } = usage;
  const all: Record<string, number> = {
    ...{ polls, alarms: 1, pushes: snsPushes, apiCalls: httpApiCalls + restApiCalls },
    ...{ lambdaSeconds: lambdaGigabyteSeconds / (megabytes / 1_024), eventBytes: sum(exportedBytes) },
  };
  const add = (name: string, amount: number) => (all[name] = (all[name] ?? 0) + amount);
  for (const [name, frequency] of Object.entries(often) as [RequestName, number][])
    for (const trip of requests[name].trips)
      for (const item of trip.items) {
        const { dynamoReads = 0, dynamoWrites = 0 } = model.usageOf({ ...trip, items: [item] }, assumed);
        const copies = item.startsWith('event') ? model.indexWriteUnits(itemSizes[item], assumed) : 0;
        add(`reads ${tableOf(item)}`, frequency * dynamoReads);
        add(`writes ${tableOf(item)}`, frequency * (dynamoWrites - copies));
        add('indexWrites', frequency * copies);
      }
  return all;
}
const tableOf = (item: ItemName): string => {
  if (/^(confirmation|event)/.test(item)) return `${item.split(',')[0]}s`;
  return /client|receiver|target/.test(item) ? 'tenants' : 'devices';
};
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Confirmations a second, and tenants: half of them have streams and half of them buckets, for both categories. */
export const loads: Record<string, [number, number]> = {
  ...{ '10/s': [10, 100], '1,000/s': [1_000, 100], '100,000/s': [100_000, 100] },
  '1,000/s of 10,000 tenants': [1_000, 10_000],
};

/** Processes of a website. Each keeps its own token, which lives for an hour. */
const websiteProcesses = 4;

export function needed(
  [rate, tenants]: [number, number],
  each: Record<string, number>,
): Record<string, number> {
  const used = Object.fromEntries(Object.entries(each).map(([name, amount]) => [name, rate * amount]));
  // Each shard of the stream has an exporter, which keeps credentials of an hour, and renews them five minutes before their end.
  const exporters = Math.max(4, Math.ceil((used['writes events'] ?? 0) / 1_000));
  return {
    ...{ ...used, tenants, roles: tenants / 2 + fixed.rolesOfStage, deliveryStreams: tenants },
    ...{ tokens: (tenants * websiteProcesses) / 3_600, roleCalls: (exporters * tenants) / 2 / 3_300 },
  };
}

/** AWS's default quotas, and limits of our own. A name ends with `(?)` if the quota is not verified. */
export const quotasOf = (region: Region) =>
  quotas(region, fixed.alarmsPerSecond)
    .trim()
    .split('\n')
    .map((line) => line.split('|'))
    .map(([name = '', limit, unit, need = '', source = '', remedy]) => {
      const shareOf = (needs: Record<string, number>): number => (needs[need] ?? NaN) / Number(limit);
      return { name, limit: `${formatNumber(Number(limit))} ${unit}`, source, remedy, shareOf };
    });

/** How full each quota is at each load. A full one is bold. */
function quotaShares(assumed: Assumptions, region: Region): string {
  const each = demand(assumed);
  const percent = (share: number): string =>
    share < 1 ? formatPercent(share) : `**${formatPercent(share)}**`;
  return formatTable(
    quotasOf(region).map(({ name, limit, shareOf }) => ({
      ...{ quota: name, default: limit },
      ...Object.fromEntries(
        Object.entries(loads).map(([load, its]) => [load, percent(shareOf(needed(its, each)))]),
      ),
    })),
  );
}

/** Limits of one tenant in confirmations per second, independent of the account's limits. */
function tenantLimits(assumed: Assumptions, region: Region): string {
  const { indexWrites = NaN, eventBytes = NaN } = demand(assumed);
  const index = formatNumber((indexShards * 1_000) / indexWrites);
  const firehose = formatNumber(((region === 'us-east-1' ? 5 : 1) * 1_024 ** 2) / eventBytes);
  return list([
    `DynamoDB: the tenant's partitions of the index of events: ${index} confirmations/s. Use more shards (\`indexShards\`).`,
    `Firehose: the delivery stream of the tenant's public events: ${firehose} confirmations/s. Request an increase for that stream. Throttled events are parked and follow later.`,
  ]);
}

function priceList(): string {
  const rows = (Object.keys(prices) as Quantity[]).map((name) => {
    const usd = regions.map((region, index) => [
      region,
      `${prices[name].at(3 + index)}${nameOf(name, region).endsWith('(?)') ? ' (?)' : ''}`,
    ]);
    return {
      'USD for': `${prices[name][0]}: ${prices[name][1]}`,
      ...(Object.fromEntries(usd) as Record<string, string>),
    };
  });
  const pages = [
    ...new Set(Object.values(prices).map(([, , page]) => `<https://aws.amazon.com/${page}/pricing/>`)),
  ];
  return `Looked up on ${lookedUp}.\n\n${formatTable(rows)}\n\n${list(pages)}`;
}

const pairs = (head: [string, string], values: object): string =>
  formatTable(Object.entries(values).map(([name, value]) => ({ [head[0]]: name, [head[1]]: String(value) })));
const prefixed = (prefix: string, values: object): object =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix} ${name}`, value as unknown]));

/** All results of `npm run cost` for a region. */
export function sectionsOf(region: Region, assumed: Assumptions): Record<string, string> {
  const polled = model.byCiba(assumed);
  const native = model.confirmation(assumed);
  const quiet = model.confirmation({ ...assumed, ...withCallbacks });
  const differences = { 'with a native app': model.total(native), ...model.webDifference(assumed) };
  const client = model
    .priceOf({ cognitoClients: 1, cognitoTokens: 720 * websiteProcesses }, region)
    .toFixed(2);
  return {
    goal: `Goal: ${goals(assumed, goal, regions)}`,
    parts: parts(assumed, region),
    steps: usdTable('step', withSum(native)),
    callbackGoal: `Goal with callbacks: ${goals({ ...assumed, ...withCallbacks }, callbackGoal, ['us-east-1'])}`,
    callbackSteps: usdTable('step', withSum(quiet)),
    ciba: usdTable('step', {
      ...withSum(polled),
      'all, pinged in place of polls': model.total(model.byPing(assumed)),
      // The `jti` of an assertion is written, so that it is used once.
      'all, with `private_key_jwt`': model.sum(model.total(polled), { dynamoWrites: 1 + assumed.polls }),
    }),
    people: usdTable('what', people(assumed)),
    floor: usdTable('what', withSum(floor(assumed))),
    variants: usdTable(
      'variant',
      Object.fromEntries(
        Object.entries(variants).map(([name, changes]) => [
          name,
          model.perConfirmation({ ...assumed, ...changes }),
        ]),
      ),
    ),
    web: usdTable('what', {
      ...differences,
      'on web devices': model.total(differences),
      'first load of a device': model.webFiles(firstLoad.files, firstLoad.bytes),
    }),
    export: exported(assumed, region),
    webhook: usdTable(
      'events of a target in a batch',
      byCount([1, 10, 100, 1_000], (count) => events.webhook(count, assumed)),
    ),
    bus: usdTable(
      'bytes of an event',
      byCount([events.eventBytes, 16 * 1_024, 256 * 1_024], (bytes) => ({
        // With the source and the type of the entry.
        busEvents: steps(bytes + 40, 64),
      })),
    ),
    signals: usdTable('signal', events.signals(1, assumed)),
    recording: usdTable(
      'events in a call',
      byCount([1, 10, 100], (count) => events.recording(count, assumed)),
    ),
    ledger: usdTable('a thousand calls for', events.ledger(assumed), 1_000, 3),
    log: usdTable('what', log(assumed), 1, 3),
    buckets: usdTable('what', events.buckets(assumed), 1, 3),
    deliveryLog: usdTable('what', events.deliveryLog(assumed), 1, 3),
    clients: `A client of the user pool costs ${client} USD a month, with the tokens of four processes.`,
    fixed: usdTable('what', fixed.fixed, 1),
    copies: usdTable('`data.copies`', copies, 1),
    quotas: quotaShares(assumed, region),
    remedies: list(
      quotasOf(region).map(({ name, source, remedy }) => `${name}: ${remedy} Source: ${source}`),
    ),
    tenant: tenantLimits(assumed, region),
    sizes: pairs(['item', 'bytes'], itemSizes),
    assumptions: pairs(['assumption', 'value'], {
      ...assumed,
      ...prefixed('web device:', { ...web, firstFiles: firstLoad.files, firstBytes: firstLoad.bytes }),
      ...prefixed('milliseconds of', milliseconds),
      ...prefixed('cold starts:', coldStarts),
    }),
    prices: priceList(),
  };
}

export const defaultSections = (): Record<string, string> => sectionsOf(regions[0], assumptions);

/** The document with new tables between its markers. */
export const fillIn = (document: string, sections: Record<string, string>): string =>
  document.replace(/<!-- cost:(\w+) -->\n[\s\S]*?<!-- \/cost -->/g, (_, name: string) => {
    const section = sections[name];
    if (section === undefined) throw new Error(`The document has a marker for an unknown section ${name}.`);
    return `<!-- cost:${name} -->\n\n${section}\n\n<!-- /cost -->`;
  });
