import { formatTable } from '../report/markdown.ts';
import { assumptions as defaults, type Assumptions } from './assumptions.ts';
import { ofBuckets } from './buckets.ts';
import { cibaAssumptions } from './ciba.ts';
import {
  byPart,
  byPartWithCallbacks,
  byStep,
  byStepOfCiba,
  byStepWithCallbacks,
  byVariant,
  callbackGoalReport,
  floorRows,
  goalReport,
  type Row,
} from './confirmation-tables.ts';
import { meanSize, ofExport, ofRecording } from './event-tables.ts';
import { fixed } from './fixed.ts';
import { itemSizes } from './items.ts';
import { ofLedger } from './ledger.ts';
import { lookedUp, prices, regions, type Region } from './prices.ts';
import { byLoad, clientMonth, firstReached, ofOneTenant, sources } from './quota-tables.ts';
import { priceOf } from './usage.ts';
import { firstLoads, onWebDevices, webAssumptions } from './web-device.ts';
import { ofWebhooks } from './webhook.ts';

/** Sections by the name of their marker in docs/scaling.md. */
export type Sections = Record<string, string>;

const priceRows = (): Row[] =>
  Object.values(prices).map(({ service, unit, prices: known }) => ({
    'USD for': `${service}: ${unit}`,
    ...Object.fromEntries(
      regions.map((region) => [region, `${known[region].usd}${known[region].verified ? '' : ' (?)'}`]),
    ),
  }));

const priceSources = (): string =>
  list([...new Set(Object.values(prices).map(({ source }) => `<${source}>`))]);

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

const assumed = ({ durations, coldStarts, ...rest }: Assumptions): Row[] =>
  Object.entries({
    ...rest,
    ...Object.fromEntries(
      Object.entries(webAssumptions).map(([name, value]) => [`web device: ${name}`, value]),
    ),
    ...Object.fromEntries(Object.entries(cibaAssumptions).map(([name, value]) => [`CIBA: ${name}`, value])),
    ...Object.fromEntries(Object.entries(durations).map(([name, ms]) => [`milliseconds of ${name}`, ms])),
    'share of cold starts': coldStarts.share,
    'milliseconds of a cold start': coldStarts.milliseconds,
  }).map(([assumption, value]) => ({ assumption, value: String(value) }));

const sizes = (): Row[] => Object.entries(itemSizes).map(([item, bytes]) => ({ item, bytes: String(bytes) }));

const months = (): Row[] =>
  Object.entries(fixed).map(([what, usage]) => ({
    what,
    ...Object.fromEntries(regions.map((region) => [region, priceOf(usage, region).toFixed(2)])),
  }));

/** All results of `npm run cost` for a region. */
export function sectionsOf(region: Region, values: Assumptions): Sections {
  return {
    goal: goalReport(values, regions),
    parts: formatTable(byPart(values, region)),
    steps: formatTable(byStep(values, regions)),
    callbackGoal: callbackGoalReport(values),
    callbackSteps: formatTable(byStepWithCallbacks(values, regions)),
    ciba: formatTable(byStepOfCiba(values, regions)),
    callbackParts: formatTable(byPartWithCallbacks(values, regions)),
    floor: formatTable(floorRows(values, regions)),
    variants: formatTable(byVariant(values, regions)),
    web: formatTable([...onWebDevices(values), ...firstLoads()]),
    export: `${meanSize}\n\n${formatTable(ofExport(values, region))}`,
    webhook: formatTable(ofWebhooks(values, regions)),
    recording: formatTable(ofRecording(values, region)),
    ledger: formatTable(ofLedger(values)),
    buckets: formatTable(ofBuckets(values)),
    clients: `A client of the user pool costs ${clientMonth(region)} USD a month, with the tokens of four processes.`,
    fixed: formatTable(months()),
    first: list(firstReached(values, region)),
    quotas: formatTable(byLoad(values, region)),
    tenant: list(ofOneTenant(values, region)),
    sizes: formatTable(sizes()),
    assumptions: formatTable(assumed(values)),
    prices: `Looked up on ${lookedUp}.\n\n${formatTable(priceRows())}\n\n${priceSources()}`,
    sources: list(sources(values, region)),
  };
}

export const defaultSections = (): Sections => sectionsOf(regions[0], defaults);

const markers = /<!-- cost:(\w+) -->\n[\s\S]*?<!-- \/cost -->/g;

/** The document with new tables between its markers. */
export const fillIn = (document: string, sections: Sections): string =>
  document.replace(markers, (_, name: string) => {
    const section = sections[name];
    if (section === undefined) throw new Error(`The document has a marker for an unknown section ${name}.`);
    return `<!-- cost:${name} -->\n\n${section}\n\n<!-- /cost -->`;
  });
