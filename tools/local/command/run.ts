import { setTimeout as sleep } from 'node:timers/promises';
import { ChildProcessError } from '../aws/emulators/child-process.ts';
import type { Stack, StackOptions } from '../stack/stack.ts';
import { StartError } from './start-error.ts';
import { removeStackFile, writeStackFile } from '../stack/stack-file.ts';
import { removeWebsiteFile, writeWebsiteFile } from '../stack/website-file.ts';
import { listenForShutdown } from './shutdown.ts';
import { lockFolders } from './folders.ts';
import { checkPorts } from './free-ports.ts';
import { readyText, usage, waitingText } from './messages.ts';
import { readSettings, type Settings } from './settings.ts';

/** The exit code that shells use after Ctrl-C. */
const interrupted = 130;

/** More than the parts of the stack take to close. */
const longestShutdownMs = 4_000;

/**
 * Runs the local stack until its shutdown is requested.
 *
 * @returns the exit code: 0 after a requested shutdown, 1 after a failed start or a crash
 */
export async function run(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  try {
    if (args.includes('--help') || args.includes('-h')) {
      console.log(usage);
      return 0;
    }
    if (args.length > 0) throw new StartError(`Unknown argument "${args.join(' ')}".\n\n${usage}`);
    return await runStack(readSettings(environment));
  } catch (error) {
    if (!(error instanceof StartError || error instanceof ChildProcessError)) throw error;
    console.error(error.message);
    return 1;
  }
}

async function runStack(settings: Settings): Promise<number> {
  using folders = await lockFolders(settings);
  await checkPorts(settings);
  folders.defer(() => removeStackFile(settings.directory));
  const { requested } = listenForShutdown(() => {
    folders.dispose();
    process.exit(interrupted);
  });
  // Files of an earlier stack would describe this one wrongly.
  removeStackFile(settings.directory);
  removeWebsiteFile(settings.directory);
  console.log(waitingText);
  const begun = performance.now();
  const starting = loadAndStart({ ...settings, log: (line) => console.log(line) });
  // If the shutdown comes first, the end of the process ends everything that is still starting.
  const stack = await Promise.race([starting, requested]);
  if (!stack) return 0;
  if (!stack.addressesStay) folders.defer(() => removeWebsiteFile(settings.directory));
  await writeWebsiteFile(settings.directory, stack.description);
  await writeStackFile(settings.directory, stack.description);
  console.log(readyText(settings, stack, performance.now() - begun));
  return await serve(stack, settings, requested);
}

/** A start that is refused before needs none of the stack's thousand modules. */
async function loadAndStart(options: StackOptions): Promise<Stack> {
  const { startStack } = await import('../stack/stack.ts');
  return await startStack(options);
}

async function serve(
  stack: Stack,
  { directory, isWarm }: Settings,
  requested: Promise<void>,
): Promise<number> {
  const warmed = isWarm ? stack.warm() : undefined;
  const crash = await Promise.race([requested, stack.crashed]);
  if (crash !== undefined) console.error(`The local stack stops: ${crash}`);
  // Before the parts close one by one: a reader of the file can rely on all of them.
  removeStackFile(directory);
  const closed = Promise.all([stack.close(), warmed]);
  await Promise.race([closed, sleep(longestShutdownMs, undefined, { ref: false })]);
  return crash === undefined ? 0 : 1;
}
