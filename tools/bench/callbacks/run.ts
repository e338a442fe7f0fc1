/** `npm run bench:callbacks`: how soon call-backs come, and whether bad receivers delay those of healthy ones; or how soon signals come. */
import { parseArgs } from 'node:util';
import { type Benchmark, writeBlock } from '../report/document.ts';
import { describeMachine, formatNumber, formatTable } from '../report/markdown.ts';
import { median, percentile } from '../report/statistics.ts';
import { type LocalStack, runningStack, startStack } from '../stack/stack.ts';
import { measureSignals, renderSignals } from './signals.ts';
import { arrivals, type Asked, openWebsites, wave, type Website, type Websites } from './websites.ts';

const usage = `npm run bench:callbacks -- [--rounds 3] [--waves 5] [--receivers 50] [--signals <count>] [--stack <folder>] [--write]

  --rounds     rounds of each kind: healthy receivers alone, and with a dead one and a slow one
  --waves      call-backs of each receiver in a round
  --receivers  healthy ones
  --signals    instead of all that: so many signals, pushed one after the other
  --stack      the state folder of a running stack; without it one is started`;

const { values } = parseArgs({
  options: {
    ...{ rounds: { type: 'string', default: '3' }, waves: { type: 'string', default: '5' } },
    ...{ receivers: { type: 'string', default: '50' }, signals: { type: 'string' } },
    stack: { type: 'string' },
    ...{ write: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  },
});
const [rounds = NaN, waves = NaN, receivers = NaN] = [values.rounds, values.waves, values.receivers].map(
  Number,
);

/** The healthy receivers alone, which is the control, or with a dead one and a slow one besides. */
const scenes = { alone: 'alone (control)', besides: 'with a dead one and a slow one besides' };
type Scene = keyof typeof scenes;

/** Milliseconds of a wave, in which each receiver gets one call-back. */
const waveTimeMs = 2_500;
/** The service waits ten seconds for an answer. */
const slowDelayMs = 9_500;

/** The service knows a receiver as quick once it has answered at once. */
async function becomeQuick(websites: readonly Website[], duration: number): Promise<void> {
  for (let count = 0; count < 2; count += 1) await arrivals(await wave(websites, duration), true);
}

/** The dead receiver and the slow one answer at once until the round begins, and again after it. @returns milliseconds */
async function runRound({ healthy, dead, slow }: Websites, scene: Scene, count: number): Promise<number[]> {
  const others = scene === 'alone' ? [] : [dead, slow];
  [dead.receiver.delay, slow.receiver.delay] = [Infinity, slowDelayMs];
  const asked: Asked[] = [];
  for (let index = 0; index < count; index += 1)
    asked.push(...(await wave([...others, ...healthy], waveTimeMs)));
  const times = await arrivals(asked.filter(({ website }) => healthy.includes(website)));
  for (const { receiver } of [dead, slow]) receiver.recover();
  // Nothing is lost, and nothing is left for the next round.
  await arrivals(asked, true);
  await becomeQuick(others, 0);
  return times;
}

async function withStack<Result>(measure: (service: LocalStack) => Promise<Result>): Promise<Result> {
  const { stack } = values;
  const service = stack === undefined ? await startStack() : await runningStack(stack);
  try {
    return await measure(service);
  } finally {
    await service.stop();
  }
}

async function measure(service: LocalStack): Promise<Record<Scene, number[][]>> {
  const times: Record<Scene, number[][]> = { alone: [], besides: [] };
  const websites = await openWebsites(service, receivers);
  try {
    await becomeQuick([websites.dead, websites.slow, ...websites.healthy], waveTimeMs);
    await runRound(websites, 'besides', 1);
    // The scenes take turns, so that what else the machine does affects both.
    for (let turn = 0; turn < rounds; turn += 1)
      for (const scene of ['alone', 'besides'] as const)
        times[scene].push(await runRound(websites, scene, waves));
  } finally {
    websites.close();
  }
  return times;
}

function render(times: Record<Scene, number[][]>): string {
  const p99 = (all: readonly number[]): number => percentile(all, 0.99);
  const control = times.alone.map(p99);
  const rows = Object.entries(times).map(([scene, its]) => ({
    [`${receivers} healthy receivers, ms`]: scenes[scene as Scene],
    'call-backs': formatNumber(its.flat().length),
    p50: median(its.flat()).toFixed(0),
    p99: p99(its.flat()).toFixed(0),
    'p99, times the control': median(its.map((round, index) => p99(round) / (control[index] ?? NaN))).toFixed(
      2,
    ),
  }));
  return [
    `${describeMachine()}. ${rounds} rounds of each kind, which take turns; the ratio is the median of those of each round.`,
    formatTable(rows),
    'No call-back was lost: the dead receiver and the slow one got all of theirs once they had recovered.',
  ].join('\n\n');
}

async function report(benchmark: Benchmark, text: string): Promise<void> {
  console.log(text);
  if (values.write) await writeBlock(benchmark, text);
}

const { signals } = values;
if (values.help) console.log(usage);
else if (signals === undefined) await report('bench:callbacks', render(await withStack(measure)));
else {
  const times = await withStack(async (service) => await measureSignals(service, Number(signals)));
  await report('bench:signals', renderSignals(times));
}
