/** `npm run soak`: whether every event arrives, once and in order, while AWS and the receivers fail in turn. */
import { logger } from '../../../core/kernel/observability.ts';
import { writeBlock } from '../report/document.ts';
import { readPlan, usage, type Run } from './plan.ts';
import { render } from './report.ts';
import { isSound, soak } from './soak.ts';

logger.setLogLevel('SILENT');

function planOf(args: readonly string[]): Run | undefined {
  try {
    return readPlan(args);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    console.error('Run it with --help to see all options.');
    process.exit(2);
  }
}

async function main({ plan, json, write }: Run): Promise<void> {
  const result = await soak(plan, (line) => console.error(line));
  console.log(json ? JSON.stringify(result) : render(result));
  if (write) await writeBlock('soak', render(result));
  process.exitCode = isSound(result) ? 0 : 1;
}

const run = planOf(process.argv.slice(2));
if (run === undefined) console.log(usage);
else await main(run);
