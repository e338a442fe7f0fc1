/** Stands for the stack: prints each shutdown request, and exits unless an argument delays it. */
import { listenForShutdown } from '../../../../tools/local/command/shutdown.ts';

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
