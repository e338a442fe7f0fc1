/** `npm run bench:website`: how soon the page of a website knows the user's answer, and what it asks until then. */
import { parseArgs } from 'node:util';
import { describeMachine, formatTable, median, percentile, writeBlock } from '../report.ts';
import { runningStack, startStack } from '../stack/stack.ts';
import { openWebsite, type Asked, type Way } from './website.ts';

const usage = `npm run bench:website -- [--answers 50] [--at-once 5] [--stack <folder>] [--write]

  --answers  answers for each way
  --at-once  users of each way at the same time
  --stack    the state folder of a running stack; without it one is started`;

const { values } = parseArgs({
  options: {
    ...{ answers: { type: 'string', default: '50' }, 'at-once': { type: 'string', default: '5' } },
    ...{ stack: { type: 'string' }, write: { type: 'boolean', default: false } },
    help: { type: 'boolean', default: false },
  },
});
const [answers = NaN, atOnce = NaN] = [values.answers, values['at-once']].map(Number);

const ways: Record<Way, string> = {
  polls: 'the website polls the service',
  looks: 'callbacks; the page looks once a second',
  waits: 'callbacks; the answer to the page waits for them',
};

async function measure(): Promise<Record<Way, Asked[]>> {
  const { stack } = values;
  const service = stack === undefined ? await startStack() : await runningStack(stack);
  const asked: Record<Way, Asked[]> = { polls: [], looks: [], waits: [] };
  try {
    const websites = await Promise.all(
      (['polls', 'looks', 'waits'] as const).map(async (way) => ({
        way,
        website: await openWebsite(service, way, atOnce),
      })),
    );
    // The service learns that the receivers are quick.
    for (let count = 0; count < 2; count += 1)
      await Promise.all(websites.map(async ({ website }) => await website.wave()));
    // The ways take turns, so that what else the machine does affects all.
    for (let count = 0; count < answers; count += atOnce)
      for (const { way, website } of websites) asked[way].push(...(await website.wave()));
    for (const { website } of websites) website.close();
  } finally {
    await service.stop();
  }
  return asked;
}

function render(asked: Record<Way, Asked[]>): string {
  const rows = Object.entries(asked).map(([way, its]) => {
    const times = its.map(({ knownAfterMs }) => knownAfterMs);
    const mean = (count: (one: Asked) => number): string =>
      (its.reduce((sum, one) => sum + count(one), 0) / its.length).toFixed(1);
    return {
      'from the answer on the device to the page, ms': ways[way as Way],
      answers: String(its.length),
      p50: median(times).toFixed(0),
      p95: percentile(times, 0.95).toFixed(0),
      'calls of the page': mean((one) => one.looks),
      'polls of the service': mean((one) => one.polls),
    };
  });
  return [
    `${describeMachine()}. The users answer after 1 to 4 seconds. Calls are those of one confirmation, on average.`,
    formatTable(rows),
  ].join('\n\n');
}

if (values.help) console.log(usage);
else {
  const report = render(await measure());
  console.log(report);
  if (values.write) await writeBlock('bench:website', report);
}
