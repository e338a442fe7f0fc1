import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export type BrowserName = 'chromium' | 'firefox';

type Places = {
  /** The environment variable that names the program. */
  variable: string;
  /** On the PATH, the preferred one first. */
  commands: readonly string[];
  /** Applications of macOS, which are not on the PATH. */
  applications: readonly string[];
};

const places: Record<BrowserName, Places> = {
  chromium: {
    variable: 'OMI_CHROMIUM',
    commands: ['chromium', 'google-chrome-stable', 'google-chrome', 'chrome', 'chromium-browser'],
    applications: ['Chromium.app/Contents/MacOS/Chromium', 'Google Chrome.app/Contents/MacOS/Google Chrome'],
  },
  firefox: {
    variable: 'OMI_FIREFOX',
    commands: ['firefox-esr', 'firefox'],
    applications: ['Firefox.app/Contents/MacOS/firefox'],
  },
};

export const variableOf = (name: BrowserName): string => places[name].variable;

/** The browser's program: of the environment, of the PATH, or of macOS's applications. */
export function findBrowser(
  name: BrowserName,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const { variable, commands, applications } = places[name];
  const named = environment[variable];
  if (named) return isProgram(named) ? named : undefined;
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = commands.flatMap((command) => folders.map((folder) => join(folder, command)));
  return [...onPath, ...applications.map((path) => join('/Applications', path))].find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
