/** Runs a command of the operator, and prints what it cost and how much it said. */
import { run } from '../../../cli/program.ts';
import { CallCounter } from './calls.ts';

const counter = new CallCounter();
let out = '';
let err = '';
const code = await run(process.argv.slice(2), {
  out: (text) => void (out += text),
  err: (text) => void (err += text),
  environment: process.env,
});
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const said = {
  code,
  cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
  megabytes: maxRSS / 1_000,
  calls: counter.take(),
  bytes: Buffer.byteLength(out),
  lines: out.split('\n').length - 1,
};
process.stdout.write(JSON.stringify(said));
