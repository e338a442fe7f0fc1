import { formatPercent } from '../report/markdown.ts';
import { onRestApi, variants, withCallbacks, type Assumptions } from './assumptions.ts';
import { assertions, byCiba, byPing } from './ciba.ts';
import { confirmation, total } from './confirmations.ts';
import { costOf, prices, type Quantity, type Region } from './prices.ts';
import { transactionWriteUnits } from './units.ts';
import { perMillion, priceOf, sum, type Usage } from './usage.ts';

export type Row = Record<string, string>;

/** The goal: at most this many USD for a million confirmations. */
export const goal = 25;

/** The goal with call-backs in place of polls: at most this many USD for a million confirmations in this region. */
export const callbackGoal = { usd: 24, region: 'us-east-1' } as const satisfies {
  usd: number;
  region: Region;
};

export const costOfMillion = (assumed: Assumptions, region: Region): number =>
  1_000_000 * priceOf(total(confirmation(assumed)), region);

/** The usage that the design always needs, by what is billed. */
export function floor({ polls }: Assumptions): Record<string, Usage> {
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

/** USD per million confirmations of only that usage: without reads, computing and logs. */
export function floorRows(assumed: Assumptions, regions: readonly Region[]): Row[] {
  const parts = floor(assumed);
  return Object.entries({ ...parts, all: sum(Object.values(parts)) }).map(([what, usage]) => ({
    what,
    ...Object.fromEntries(regions.map((region) => [region, perMillion(priceOf(usage, region))])),
  }));
}

const label = (quantity: Quantity, region: Region): string =>
  `${prices[quantity].service}${prices[quantity].prices[region].verified ? '' : ' (?)'}`;

const costIn = (usage: Usage, quantity: Quantity, region: Region): number =>
  costOf(quantity, usage[quantity] ?? 0, region);

/** USD per million confirmations by what is billed, compared with a REST API. */
export function byPart(assumed: Assumptions, region: Region): Row[] {
  const ours = total(confirmation(assumed));
  const rest = total(confirmation({ ...assumed, ...onRestApi }));
  const all = priceOf(ours, region);
  const quantities = (Object.keys(prices) as Quantity[]).filter((name) => name in ours || name in rest);
  const rows = quantities.map((quantity) => ({
    'billed as': label(quantity, region),
    USD: perMillion(costIn(ours, quantity, region)),
    share: formatPercent(costIn(ours, quantity, region) / all),
    'REST API, authorizer not cached': perMillion(costIn(rest, quantity, region)),
  }));
  const sums = {
    USD: perMillion(all),
    share: '',
    'REST API, authorizer not cached': perMillion(priceOf(rest, region)),
  };
  return [...rows, { 'billed as': 'all', ...sums }];
}

/** USD per million confirmations by step. */
export const byStep = (assumed: Assumptions, regions: readonly Region[]): Row[] =>
  Object.entries(confirmation(assumed)).map(([step, usage]) => ({
    step,
    ...Object.fromEntries(regions.map((region) => [region, perMillion(priceOf(usage, region))])),
  }));

/** USD per million confirmations under other assumptions. */
export const byVariant = (assumed: Assumptions, regions: readonly Region[]): Row[] =>
  Object.entries(variants).map(([variant, changes]) => ({
    variant,
    ...Object.fromEntries(
      regions.map((region) => [region, costOfMillion({ ...assumed, ...changes }, region).toFixed(2)]),
    ),
  }));

export function goalReport(assumed: Assumptions, regions: readonly Region[]): string {
  const of = (region: Region): string => {
    const usd = costOfMillion(assumed, region);
    return `${region} ${usd.toFixed(2)} USD, ${usd <= goal ? 'within' : `${(usd - goal).toFixed(2)} above`} it`;
  };
  return `Goal: at most ${goal} USD per million confirmations. ${regions.map(of).join('; ')}.`;
}

export function callbackGoalReport(assumed: Assumptions): string {
  const { usd: most, region } = callbackGoal;
  const usd = costOfMillion({ ...assumed, ...withCallbacks }, region);
  const result = usd <= most ? 'within it' : `${(usd - most).toFixed(2)} above it`;
  return `Goal with call-backs: at most ${most} USD per million confirmations in ${region}. ${usd.toFixed(2)} USD, ${result}.`;
}

/** USD per million confirmations by step, with call-backs in place of polls. */
export const byStepWithCallbacks = (assumed: Assumptions, regions: readonly Region[]): Row[] => {
  const changed = { ...assumed, ...withCallbacks };
  const all = { step: 'all', ...usdIn(regions, (region) => costOfMillion(changed, region)) };
  return [...byStep(changed, regions).filter(({ step }) => step !== 'polls'), all];
};

const usdIn = (regions: readonly Region[], cost: (region: Region) => number): Row =>
  Object.fromEntries(regions.map((region) => [region, cost(region).toFixed(2)]));

/** USD per million confirmations by what is billed, with call-backs and with polls. */
export function byPartWithCallbacks(assumed: Assumptions, regions: readonly Region[]): Row[] {
  const quiet = total(confirmation({ ...assumed, ...withCallbacks }));
  const polled = total(confirmation(assumed));
  const quantities = (Object.keys(prices) as Quantity[]).filter((name) => name in quiet || name in polled);
  const columns = (usd: (usage: Usage, region: Region) => number): Row =>
    Object.fromEntries(
      regions.flatMap((region) => [
        [region, perMillion(usd(quiet, region))],
        [`${region}, with polls`, perMillion(usd(polled, region))],
      ]),
    );
  return [
    ...quantities.map((name) => ({
      'billed as': prices[name].service,
      ...columns((usage, region) => costIn(usage, name, region)),
    })),
    { 'billed as': 'all', ...columns(priceOf) },
  ];
}

/** USD per million approvals by CIBA. */
export function byStepOfCiba(assumed: Assumptions, regions: readonly Region[]): Row[] {
  const polled = byCiba(assumed);
  const rows: Record<string, Usage> = {
    ...polled,
    all: total(polled),
    'all, pinged in place of polls': total(byPing(assumed)),
    'all, with `private_key_jwt`': sum([total(polled), assertions(assumed)]),
  };
  return Object.entries(rows).map(([step, usage]) => ({
    step,
    ...Object.fromEntries(regions.map((region) => [region, perMillion(priceOf(usage, region))])),
  }));
}
