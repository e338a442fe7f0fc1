/** Stands for the stack: says what it hears of its end, and ends then unless it is told to hold on. */
import { listenForShutdown } from '../../../local/command/shutdown.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

const { requested } = listenForShutdown(() => {
  say('forced');
  process.exit(130);
});
setInterval(() => undefined, 60_000);
say(`started ${process.pid}`);
await requested;
say('requested');
if (process.env['HOLD_ON'] === undefined) process.exit(0);
