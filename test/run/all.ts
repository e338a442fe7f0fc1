/** `npm test`: the static checks beside the suites. Arguments are jest's. */
import { programs } from './programs.ts';

process.exitCode = await programs({
  suites: [['jest', ...process.argv.slice(2)]],
  // One after the other: together they would take the suites' share of a small machine.
  checks: [['types'], ['docs:check'], ['lint']],
});
