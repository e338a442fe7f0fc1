import type { LocalStack } from '../stack/stack.ts';
import {
  arrivals,
  type Asked,
  openWebsites,
  settled,
  wave,
  type Website,
  type Websites,
} from './websites.ts';

export const scenes = ['alone', 'besides'] as const;
/** The healthy receivers alone, or with a dead one and a slow one besides. */
export type Scene = (typeof scenes)[number];

/** Milliseconds from each answer to its call-back, of the healthy receivers in one round. */
export type Round = { scene: Scene; times: number[] };

/** `rounds` of each scene. In a wave, each receiver gets one call-back. */
export type Plan = { rounds: number; waves: number; receivers: number };

/** Milliseconds. */
export const waveTime = 2_500;
/** The service waits ten seconds for an answer. */
export const slowDelay = 9_500;

/** The scenes take turns in being the first, so that what changes slowly on the machine affects both. */
const orderOf = (turn: number): readonly Scene[] => (turn % 2 === 0 ? scenes : scenes.toReversed());

export async function measure(
  stack: LocalStack,
  { rounds: count, waves, receivers }: Plan,
  report: (line: string) => void,
): Promise<Round[]> {
  const websites = await openWebsites(stack, receivers);
  const rounds: Round[] = [];
  try {
    report('warming up');
    await becomeQuick([websites.dead, websites.slow, ...websites.healthy], waveTime);
    await runRound(websites, 'besides', 1);
    for (let turn = 0; turn < count; turn += 1)
      for (const scene of orderOf(turn)) {
        report(`round ${turn + 1} of ${count}, ${scene}`);
        rounds.push({ scene, times: await runRound(websites, scene, waves) });
      }
  } finally {
    websites.close();
  }
  return rounds;
}

/** The service knows a receiver as quick once it has answered at once. */
async function becomeQuick(websites: readonly Website[], duration: number): Promise<void> {
  for (let count = 0; count < 2; count += 1) await settled(await wave(websites, duration));
}

/** The dead receiver and the slow one answer at once until the round begins, and again after it. */
async function runRound({ healthy, dead, slow }: Websites, scene: Scene, waves: number): Promise<number[]> {
  const others = scene === 'alone' ? [] : [dead, slow];
  dead.receiver.delay = Infinity;
  slow.receiver.delay = slowDelay;
  const asked: Asked[] = [];
  for (let count = 0; count < waves; count += 1)
    asked.push(...(await wave([...others, ...healthy], waveTime)));
  const times = await arrivals(asked.filter(({ website }) => healthy.includes(website)));
  for (const { receiver } of [dead, slow]) receiver.recover();
  // Nothing is lost, and nothing is left for the next round.
  await settled(asked);
  await becomeQuick(others, 0);
  return times;
}
