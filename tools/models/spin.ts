import { execFile } from 'node:child_process';
import { StartError } from '../local/command/start-error.ts';
import { installMissing } from '../local/debian/apt.ts';

const advice =
  'Install Spin 6.5 and a C compiler (for example "apt-get install spin gcc libc6-dev" or "brew install spin"), and have "spin" and "gcc" on the PATH.';

/** By the command that each brings. */
const packages = { spin: ['spin'], gcc: ['gcc', 'libc6-dev'] };
type Command = keyof typeof packages;

/**
 * Ensures that there is Spin with a C compiler, and installs them where that is possible.
 *
 * @throws {StartError}
 */
export async function ensureSpin(
  log: (line: string) => void,
  system?: { isRoot: boolean; isDebian: boolean },
  path = process.env['PATH'],
): Promise<void> {
  const missing = await missingIn(path);
  if (missing.length === 0) return;
  const fault = `The models need ${missing.join(' and ')}, which is missing.`;
  const names = missing.flatMap((command) => packages[command]);
  await installMissing({ fault, advice, packages: async () => await Promise.resolve(names) }, log, system);
  if ((await missingIn(path)).length > 0) throw new StartError(`${fault} ${advice}`);
}

async function missingIn(path: string | undefined): Promise<Command[]> {
  const found = await Promise.all([isThere('spin', '-V', path), isThere('gcc', '--version', path)]);
  const commands: Command[] = ['spin', 'gcc'];
  return commands.filter((_, index) => found[index] !== true);
}

async function isThere(command: Command, flag: string, path: string | undefined): Promise<boolean> {
  return await new Promise((resolve) => {
    execFile(command, [flag], { env: { ...process.env, PATH: path } }, (error) =>
      resolve(error?.code !== 'ENOENT'),
    );
  });
}
