/** `npm run cost` prints what the service costs and which quotas limit it. See `--help`. */
import { readFile, writeFile } from 'node:fs/promises';
import { assumptions, withCallbacks } from './assumptions.ts';
import { confirmation, total } from './confirmations.ts';
import { callbackGoal, costOfMillion, goal } from './confirmation-tables.ts';
import { defaultSections, fillIn, sectionsOf } from './document.ts';
import { demand } from './load.ts';
import { help, readOptions, type Options } from './options.ts';
import { lookedUp } from './prices.ts';
import { loads, quotas } from './quota-tables.ts';

const document = new URL('../../../docs/scaling.md', import.meta.url);

const titles: Record<string, string> = {
  parts: 'USD per million confirmations, by what is billed',
  steps: 'USD per million confirmations, by step',
  callbackSteps: 'USD per million confirmations with call-backs in place of polls, by step',
  callbackParts: 'USD per million confirmations with call-backs, by what is billed',
  floor: 'USD per million confirmations, of what the design always needs',
  variants: 'USD per million confirmations, under other assumptions',
  web: 'USD per million confirmations on web devices',
  export: 'USD per million exported events',
  recording: 'USD per million recorded events',
  fixed: 'USD per month without load',
  first: 'Which quotas are reached first, and what to do',
  quotas: 'How full the default quotas are',
  tenant: 'Limits of one tenant',
  sizes: 'Bytes of items',
  assumptions: 'Assumptions',
  prices: 'Prices in USD; (?) means not verified',
  sources: 'Sources of the quotas',
};

function show({ region, polls }: Options): void {
  console.log(`${region}, ${polls} polls for each confirmation\n`);
  for (const [name, text] of Object.entries(sectionsOf(region, { ...assumptions, polls }))) {
    const title = titles[name];
    console.log(title === undefined ? `${text}\n` : `## ${title}\n\n${text}\n`);
  }
}

function printJson({ region, polls }: Options): void {
  const assumed = { ...assumptions, polls };
  const each = demand(assumed);
  const uses = Object.entries(loads).map(([load, value]) => ({
    load,
    quotas: quotas(region, assumed).map(({ name, limit, unit, source, verified, needed }) => ({
      name,
      limit,
      unit,
      source,
      verified,
      needed: needed(value, each),
    })),
  }));
  const usage = total(confirmation(assumed));
  const quiet = { ...assumed, ...withCallbacks };
  const results = {
    perMillion: costOfMillion(assumed, region),
    usage,
    callbackGoal,
    perMillionWithCallbacks: costOfMillion(quiet, region),
    usageWithCallbacks: total(confirmation(quiet)),
  };
  console.log(JSON.stringify({ region, lookedUp, assumed, goal, ...results, demand: each, uses }, null, 2));
}

async function run(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (options.help) console.log(help);
  else if (options.json) printJson(options);
  else if (options.write)
    await writeFile(document, fillIn(await readFile(document, 'utf8'), defaultSections()));
  else show(options);
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
