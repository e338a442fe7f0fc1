/** `npm run demo`: runs the whole flow once on the running local stack. */
import { performance } from 'node:perf_hooks';
import { ClientError } from '../../client/http.ts';
import { readStackFile } from '../client/local-stack.ts';
import { StepReporter, StepError } from './step-reporter.ts';
import { walkThrough } from './walkthrough.ts';

async function main(): Promise<void> {
  const begun = performance.now();
  const stack = await readStackFile(process.env['OMI_STATE'] ?? '.local');
  console.log(`Using the local stack at ${stack.baseUrl}.\n`);
  const reporter = new StepReporter((line) => console.log(line));
  await walkThrough(stack, reporter);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`\nAll ${reporter.steps} steps succeeded in ${seconds} s.`);
}

try {
  await main();
} catch (error) {
  process.exitCode = 1;
  if (!(error instanceof ClientError || error instanceof StepError)) throw error;
  console.error(error.message);
}
