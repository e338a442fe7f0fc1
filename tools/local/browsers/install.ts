import { StartError } from '../command/start-error.ts';
import { installMissing } from '../debian/apt.ts';
import { type BrowserName, findBrowser, variableOf } from './find.ts';

/** Debian's packages. Ubuntu has none of these names: its browsers are snaps, which do not run in a container. */
const packages: Record<BrowserName, string> = { chromium: 'chromium', firefox: 'firefox-esr' };

/**
 * Finds the browser, and installs it where that is possible.
 *
 * @returns the path of its program
 * @throws {StartError}
 */
export async function ensureBrowser(name: BrowserName, log: (line: string) => void): Promise<string> {
  const found = findBrowser(name);
  if (found !== undefined) return found;
  const advice =
    `Install it (for example "apt-get install ${packages[name]}" or "brew install --cask ${name}"), or set ` +
    `${variableOf(name)} to its program.`;
  const named = process.env[variableOf(name)];
  if (named) throw new StartError(`${variableOf(name)} is ${named}, which is not a program. ${advice}`);
  const fault = `There is no ${name} here.`;
  await installMissing({ fault, advice, packages: async () => await Promise.resolve([packages[name]]) }, log);
  const installed = findBrowser(name);
  if (installed === undefined)
    throw new StartError(`There is no ${name} here, even after its installation. ${advice}`);
  return installed;
}
