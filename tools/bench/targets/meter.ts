import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CallCounter, type Calls } from './calls.ts';

export type Row = {
  what: string;
  seconds: number;
  /** Of the thread of the Lambda. */
  cpuSeconds: number;
  calls: Calls;
  /** What the Lambda keeps for later. */
  megabytes: number;
  remark: string;
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function keptMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}

function cpuSeconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
}

/** Measures parts of the service one after the other. */
export class Meter {
  readonly rows: Row[] = [];
  readonly #counter = new CallCounter();
  readonly #progress: (line: string) => void;

  constructor(progress: (line: string) => void) {
    this.#progress = progress;
  }

  /** @param work may return a remark */
  async measure(what: string, work: () => Promise<string | undefined>): Promise<void> {
    const before = keptMegabytes();
    this.#counter.take();
    const [begun, cpuBegun] = [performance.now(), cpuSeconds()];
    const remark = (await work()) ?? '';
    const seconds = (performance.now() - begun) / 1_000;
    const cpu = cpuSeconds() - cpuBegun;
    const calls = this.#counter.take();
    const row = { what, seconds, cpuSeconds: cpu, calls, megabytes: keptMegabytes() - before, remark };
    this.rows.push(row);
    this.#progress(JSON.stringify(row));
  }

  stop(): void {
    this.#counter.stop();
  }
}
