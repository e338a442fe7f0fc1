/** `npm run cost` prints what the service costs at list price, and which quotas limit it. */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { assumptions, regions } from './data.ts';
import { defaultSections, fillIn, sectionsOf } from './tables.ts';

const usage = `npm run cost -- [--region ${regions.join('|')}] [--polls ${assumptions.polls}] [--write]

  --polls  polls until the website has the answer
  --write  write the tables of docs/scaling.md, with the defaults`;

const { values } = parseArgs({
  options: {
    region: { type: 'string', default: regions[0] },
    polls: { type: 'string', default: String(assumptions.polls) },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const region = regions.find((name) => name === values.region);
const polls = Number(values.polls);
const document = new URL('../../../docs/scaling.md', import.meta.url);

if (values.help) console.log(usage);
else if (region === undefined || !Number.isInteger(polls) || polls < 0) {
  console.error(usage);
  process.exitCode = 2;
} else if (values.write)
  await writeFile(document, fillIn(await readFile(document, 'utf8'), defaultSections()));
else
  for (const [name, text] of Object.entries(sectionsOf(region, { ...assumptions, polls })))
    console.log(`## ${name}\n\n${text}\n`);
