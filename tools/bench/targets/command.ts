/** Runs a command of the operator, and prints what it cost and how much it said. */
import { run } from '../../../cli/program.ts';
import { counting, type Calls } from './counting.ts';

export type Said = { code: number; cpuSeconds: number; megabytes: number; calls: Calls; lines: number };

let [out, err, code] = ['', '', 0];
const calls = await counting(async () => {
  code = await run(process.argv.slice(2), {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    environment: process.env,
  });
});
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
const said: Said = { code, cpuSeconds, megabytes: maxRSS / 1_000, calls, lines: out.split('\n').length - 1 };
process.stdout.write(JSON.stringify(said));
