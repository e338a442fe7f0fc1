import { setTimeout as sleep } from 'node:timers/promises';
import { ChildProcessError } from '../aws/emulators/child-process.ts';
import { type Stack, startStack } from '../stack/stack.ts';
import { StartError } from './start-error.ts';
import { removeStackFile, writeStackFile } from '../stack/stack-file.ts';
import { listenForShutdown } from './shutdown.ts';
import { takeFolders } from './folders.ts';
import { readyText, usage, waitingText } from './messages.ts';
import { readSettings, type Settings } from './settings.ts';

/** What a shell reports of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

/** More than any part of the stack takes to end. */
const LONGEST_END_MS = 4_000;

/**
 * Runs the local stack until something asks for its end.
 *
 * @returns the exit code: 0 after an end that was asked for, 1 after a start that failed or a crash
 */
export async function run(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  try {
    if (args.includes('--help') || args.includes('-h')) {
      console.log(usage);
      return 0;
    }
    if (args.length > 0) throw new StartError(`There is no argument "${args.join(' ')}".\n\n${usage}`);
    return await runStack(readSettings(environment));
  } catch (error) {
    if (!(error instanceof StartError || error instanceof ChildProcessError)) throw error;
    console.error(error.message);
    return 1;
  }
}

async function runStack(settings: Settings): Promise<number> {
  const folders = await takeFolders(settings);
  const forget = (): void => {
    removeStackFile(settings.directory);
    folders.release();
  };
  const { requested } = listenForShutdown(() => {
    forget();
    process.exit(INTERRUPTED);
  });
  try {
    // One that a killed stack left would pass for this one's.
    removeStackFile(settings.directory);
    console.log(waitingText);
    const begun = performance.now();
    const starting = startStack({ ...settings, log: (line) => console.log(line) });
    // The end of the process ends whatever is still starting.
    const stack = await Promise.race([starting, requested]);
    if (!stack) return 0;
    await writeStackFile(settings.directory, stack.description);
    console.log(readyText(settings.directory, stack.description, performance.now() - begun));
    return await serve(stack, settings, requested);
  } finally {
    forget();
  }
}

async function serve(stack: Stack, { directory }: Settings, requested: Promise<void>): Promise<number> {
  const warmed = stack.warm();
  const crash = await Promise.race([requested, stack.crashed]);
  if (crash !== undefined) console.error(`The local stack ends: ${crash}`);
  // Before the parts end one by one: who still finds the file may use all of them.
  removeStackFile(directory);
  await Promise.race([Promise.all([stack.close(), warmed]), wait(LONGEST_END_MS)]);
  return crash === undefined ? 0 : 1;
}

async function wait(milliseconds: number): Promise<undefined> {
  await sleep(milliseconds, undefined, { ref: false });
  return undefined;
}
