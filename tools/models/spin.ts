import { execFile } from 'node:child_process';
import { AptError, createApt } from '../local/debian/apt.ts';
import { thisSystem } from '../local/debian/system.ts';

/** A model cannot be checked for a reason that the user can remove. The message says how, in one line. */
export class ModelsError extends Error {
  override readonly name = 'ModelsError';
}

const advice =
  'Install Spin 6.5 and a C compiler (for example "apt-get install spin gcc libc6-dev" or "brew install spin"), and have "spin" and "gcc" on the PATH.';

/** By the command that each brings. */
const packages = { spin: ['spin'], gcc: ['gcc', 'libc6-dev'] };
type Command = keyof typeof packages;

/**
 * Ensures that there is Spin with a C compiler. Installs them for root on Debian or Ubuntu; other users get advice.
 *
 * @throws {ModelsError}
 */
export async function ensureSpin(
  log: (line: string) => void,
  { isRoot, isDebian } = thisSystem(),
  path = process.env['PATH'],
): Promise<void> {
  const missing = await missingIn(path);
  if (missing.length === 0) return;
  const fault = `The models need ${missing.join(' and ')}, which is missing.`;
  if (!isRoot || !isDebian) throw new ModelsError(`${fault} ${advice}`);
  log(`${fault} Installing it; this takes a minute or two, only once.`);
  await install(log, missing);
  if ((await missingIn(path)).length > 0) throw new ModelsError(`${fault} ${advice}`);
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

async function install(log: (line: string) => void, missing: readonly Command[]): Promise<void> {
  const apt = createApt(log);
  try {
    await apt.update();
    for (const name of missing.flatMap((command) => packages[command])) await apt.install(name);
  } catch (error) {
    if (error instanceof AptError) throw new ModelsError(`${error.message} ${advice}`);
    throw error;
  }
}
