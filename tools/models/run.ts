/** `npm run models`: checks the models of docs/models, and that each of their faults is found. */
import { check, table } from './check.ts';
import { models } from './models.ts';
import { StartError } from '../local/command/start-error.ts';
import { ensureSpin } from './spin.ts';

const log = (line: string): void => console.log(line);

try {
  await ensureSpin(log);
  const began = performance.now();
  const rows = await check(models, log);
  log(`\n${table(rows)}\n\n${((performance.now() - began) / 1000).toFixed(0)} s in all`);
  const wrong = rows.filter(({ isRight }) => !isRight);
  for (const { model, fault = 'as it is' } of wrong) console.error(`Not as expected: ${model}, ${fault}`);
  process.exitCode = wrong.length > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
