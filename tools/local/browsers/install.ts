import { StartError } from '../command/start-error.ts';
import { type Apt, AptError, createApt } from '../debian/apt.ts';
import { thisSystem } from '../debian/system.ts';
import { type BrowserName, findBrowser, variableOf } from './find.ts';

/** Debian's packages. Ubuntu has none of these names: its browsers are snaps, which do not run in a container. */
const packages: Record<BrowserName, string> = { chromium: 'chromium', firefox: 'firefox-esr' };

/**
 * Finds the browser. Installs it for root on Debian, as in a container; other users get advice.
 *
 * @returns the path of its program
 * @throws {StartError}
 */
export async function ensureBrowser(
  name: BrowserName,
  log: (line: string) => void,
  { isRoot, isDebian } = thisSystem(),
): Promise<string> {
  const found = findBrowser(name);
  if (found !== undefined) return found;
  const named = process.env[variableOf(name)];
  if (named) throw missing(name, `${variableOf(name)} is ${named}, which is not a program.`);
  if (!isRoot || !isDebian) throw missing(name, `There is no ${name} here.`);
  log(`There is no ${name} here. Installing it; this takes half a minute, only once.`);
  await install(name, createApt(log));
  const installed = findBrowser(name);
  if (installed === undefined) throw missing(name, `There is no ${name} here, even after its installation.`);
  return installed;
}

const missing = (name: BrowserName, fault: string): StartError =>
  new StartError(
    `${fault} Install it (for example "apt-get install ${packages[name]}" or "brew install --cask ${name}"), or set ` +
      `${variableOf(name)} to its program.`,
  );

async function install(name: BrowserName, apt: Apt): Promise<void> {
  try {
    await apt.update();
    await apt.install(packages[name]);
  } catch (error) {
    if (error instanceof AptError) throw missing(name, error.message);
    throw error;
  }
}
