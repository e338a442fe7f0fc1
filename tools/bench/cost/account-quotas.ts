import type { Assumptions } from './assumptions.ts';
import { alarmsPerSecond } from './load.ts';
import type { Region } from './prices.ts';
import { dynamoGuide, guide, newTableWrites, rate, type Quota } from './quota.ts';

const onDemandGuide = guide('amazondynamodb/latest/developerguide/on-demand-capacity-mode.html');
const verified = true;
/** Rate of the stage's own throttle in `lib/config.ts`. */
const stageRate = 1_000;
const tableUnits = 40_000;

const api = (): Quota[] => [
  {
    name: "API: the stage's own throttle",
    limit: stageRate,
    unit: 'calls/s',
    source: 'lib/config.ts',
    verified,
    remedy: 'Set `api.throttle` of the stage.',
    needed: (load, { apiCalls }) => rate(load, apiCalls),
  },
  {
    name: 'API Gateway: calls of the account',
    limit: 10_000,
    unit: 'calls/s',
    source: guide('apigateway/latest/developerguide/limits.html'),
    verified,
    remedy: 'Request an increase, then use one account and base URL for each group of tenants.',
    needed: (load, { apiCalls }) => rate(load, apiCalls),
  },
];

const lambda = (assumed: Assumptions): Quota[] => [
  {
    name: 'Lambda: concurrency of the account',
    limit: 1_000,
    unit: 'at once',
    source: guide('lambda/latest/dg/gettingstarted-limits.html'),
    verified,
    remedy: 'Request an increase.',
    needed: (load, { lambdaSeconds }) => rate(load, lambdaSeconds),
  },
  {
    name: 'Lambda: calls of a function (the poll)',
    limit: 10_000,
    unit: 'calls/s',
    source: guide('lambda/latest/dg/lambda-concurrency.html'),
    verified: false,
    remedy: 'It is ten times the concurrency and rises with it.',
    needed: (load, { polls }) => rate(load, polls),
  },
  {
    name: 'Expiry alarms: our own concurrency',
    limit: Math.round(alarmsPerSecond(assumed)),
    unit: 'messages/s',
    source: 'lambdas/event-sources.ts',
    verified,
    remedy: 'Raise `maxConcurrency` of `expire-confirmation`, up to 1,000.',
    needed: (load) => rate(load, 1),
  },
];

const push = (region: Region): Quota => ({
  name: 'SNS: publishes of the account',
  limit: region === 'us-east-1' ? 30_000 : 1_500,
  unit: 'messages/s',
  source: guide('general/latest/gr/sns.html'),
  verified,
  remedy: 'Request an increase, or choose a region with a higher quota.',
  needed: (load, { pushes }) => rate(load, pushes),
});

const table = (name: 'devices' | 'confirmations' | 'events'): Quota[] => [
  {
    name: `DynamoDB: writes to ${name}`,
    limit: tableUnits,
    unit: 'units/s',
    source: dynamoGuide,
    verified,
    remedy: 'Request an increase. The keys spread over all partitions.',
    needed: (load, { writes }) => rate(load, writes[name]),
  },
];

const data = (): Quota[] => [
  ...table('events'),
  {
    name: 'DynamoDB: writes to a new events table',
    limit: newTableWrites,
    unit: 'units/s',
    source: onDemandGuide,
    verified,
    remedy: 'Grow slowly, or set the warm throughput before.',
    needed: (load, { writes }) => rate(load, writes.events),
  },
  {
    name: 'DynamoDB: writes to the index of events',
    limit: tableUnits,
    unit: 'units/s',
    source: dynamoGuide,
    verified,
    remedy: 'Request an increase.',
    needed: (load, { indexWrites }) => rate(load, indexWrites),
  },
  ...table('confirmations'),
  {
    name: 'DynamoDB: reads of confirmations',
    limit: tableUnits,
    unit: 'units/s',
    source: dynamoGuide,
    verified,
    remedy: 'Request an increase.',
    needed: (load, { reads }) => rate(load, reads.confirmations),
  },
  ...table('devices'),
];

/** The quotas that the load of confirmations may reach. */
export const accountQuotas = (region: Region, assumed: Assumptions): Quota[] => [
  ...api(),
  push(region),
  ...lambda(assumed),
  ...data(),
];
