import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Model } from './models.ts';
import { StartError } from '../local/command/start-error.ts';

const run = promisify(execFile);

/** `isComplete` is false if the search did not see every state. `error` is what the verifier found. */
export type Verdict = { states: number; seconds: number; isComplete: boolean; error: string | undefined };

/** Steps of one run; the longest of these models has far fewer. */
const deepest = 200_000;
/** The search stops there, which counts as incomplete. */
const memoryMb = 3_000;
const longestMs = 400_000;

/**
 * Compiles the verifier of a model in a temporary folder, and runs it.
 *
 * @param fault without `FAULT_`; absent for the model as it is
 */
export async function verify(model: Model, fault?: string): Promise<Verdict> {
  const cwd = await mkdtemp(join(tmpdir(), 'omi-models-'));
  try {
    const defines = [...model.defines, ...(fault === undefined ? [] : [`FAULT_${fault}`])];
    const generated = await run('spin', [...defines.map((name) => `-D${name}`), '-a', model.file], { cwd });
    if (/error/i.test(generated.stdout)) throw new StartError(generated.stdout);
    // Only the long search is worth the time of an optimizing compiler.
    const kind = model.isLiveness ? ['-DNFAIR=6', '-O1'] : ['-DSAFETY'];
    await run('gcc', ['-w', `-DMEMLIM=${memoryMb}`, ...kind, '-o', 'pan', 'pan.c'], { cwd });
    const began = performance.now();
    const flags = [`-m${deepest}`, ...(model.isLiveness ? ['-a', '-f'] : [])];
    const { stdout } = await run(join(cwd, 'pan'), flags, { cwd, timeout: longestMs });
    return readReport(stdout, (performance.now() - began) / 1000);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

/** Reads what `pan` prints. */
export function readReport(report: string, seconds: number): Verdict {
  const states = Number(/^\s*(\d+(?:\.\d+)?(?:e\+\d+)?) states, stored/m.exec(report)?.[1] ?? Number.NaN);
  const errors = Number(/errors: (\d+)/.exec(report)?.[1] ?? Number.NaN);
  if (Number.isNaN(states) || Number.isNaN(errors)) throw new StartError(`The verifier failed: ${report}`);
  const isComplete = !/max search depth too small|Search not completed|out of memory/i.test(report);
  const [, error] = /^pan:\d+: (.*)$/m.exec(report) ?? [];
  return { states, seconds, isComplete, error: errors > 0 ? (error ?? 'an error') : undefined };
}
