import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A line that a model printed: its first word, and the others. */
export type Step = { word: string; rest: string[] };

export type Simulation = { file: string; defines: readonly string[]; seed: number };

const words = /^\s*(?:STEP|BEFORE|AFTER)\b/;

/** One random run of a model; the same one for the same seed. A folder of its own, because Spin leaves files there. */
export async function simulate({ file, defines, seed }: Simulation, cwd: string): Promise<Step[]> {
  const flags = [...defines.map((name) => `-D${name}`), `-n${seed}`, '-T', file];
  const { stdout } = await run('spin', flags, { cwd, maxBuffer: 64 * 1024 * 1024 });
  return readSteps(stdout);
}

export const readSteps = (output: string): Step[] =>
  output
    .split('\n')
    .filter((line) => words.test(line))
    .map((line) => {
      const [word = '', ...rest] = line.trim().split(/\s+/);
      return { word, rest };
    });
