import {
  type LoadHookSync,
  registerHooks,
  type ResolveFnOutput,
  type ResolveHookContext,
  type ResolveHookSync,
} from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { javaScriptOf } from './java-script.ts';
import { isShared } from './shared-modules.ts';

/** What a suite imports from `@jest/globals`. */
export type SuiteGlobals = Record<string, unknown>;

/** The modules of a suite carry its number in their URLs, so that each suite has its own. Others are loaded once. */
const SUITE = 'suite';
const JEST_GLOBALS = 'jest-globals:';

const globalsOf = new Map<string, SuiteGlobals>();
let suites = 0;

/** Makes what Node.js loads for this suite its own: none of its modules that keep something was used by an earlier one. */
export class SuiteModules {
  readonly #suite = String((suites += 1));

  set globals(globals: SuiteGlobals) {
    globalsOf.set(this.#suite, globals);
  }

  async import(path: string): Promise<unknown> {
    hook();
    showPathsInStacks();
    return (await import(ofSuite(pathToFileURL(path).href, this.#suite))) as unknown;
  }

  /** Modules that are still loaded keep what they have imported. */
  end(): void {
    globalsOf.delete(this.#suite);
  }
}

const suiteOf = (url: string | undefined): string | undefined => SUITE_IN_URL.exec(url ?? '')?.[1];
const SUITE_IN_URL = new RegExp(`[?&]${SUITE}=(\\d+)$`);

const ofSuite = (url: string, suite: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${SUITE}=${suite}`;

let isHooked = false;

function hook(): void {
  if (isHooked) return;
  isHooked = true;
  registerHooks({ resolve, load });
}

type NextResolve = Parameters<ResolveHookSync>[2];

const resolve: ResolveHookSync = (specifier, context, next) => {
  const suite = suiteOf(context.parentURL);
  if (suite === undefined || specifier === import.meta.url) return next(specifier, context);
  if (specifier === '@jest/globals')
    return { url: ofSuite(JEST_GLOBALS, suite), format: 'module', shortCircuit: true };
  const found = resolved(specifier, context, next);
  return isPackage(found.url) || isShared(found.url) ? found : { ...found, url: ofSuite(found.url, suite) };
};

const known = new Map<string, ResolveFnOutput>();

/** What a module of one suite has found, that of the next finds, too. Node.js would look at the disk again. */
function resolved(specifier: string, context: ResolveHookContext, next: NextResolve): ResolveFnOutput {
  const parent = context.parentURL?.replace(SUITE_IN_URL, '');
  const key = JSON.stringify([specifier, parent, context.conditions, context.importAttributes]);
  const found = known.get(key) ?? { ...next(specifier, context), shortCircuit: true };
  known.set(key, found);
  return found;
}

/** Also what Node.js itself brings. */
const isPackage = (url: string): boolean => !url.startsWith('file:') || url.includes('/node_modules/');

const load: LoadHookSync = (url, context, next) => {
  const suite = suiteOf(url);
  if (suite === undefined) return next(url, context);
  if (url.startsWith(JEST_GLOBALS)) return { ...esModule, source: globalsSource(suite) };
  const path = fileURLToPath(url);
  return path.endsWith('.ts') ? { ...esModule, source: javaScriptOf(path) } : next(url, context);
};

const esModule = { format: 'module', shortCircuit: true } as const;

const globalsSource = (suite: string): string => {
  const names = Object.keys(globalsOf.get(suite) ?? {});
  const self = JSON.stringify(import.meta.url);
  return `import { suiteGlobals } from ${self};\nexport const { ${names.join(', ')} } = suiteGlobals('${suite}');`;
};

/** For the module that stands for `@jest/globals`. */
export const suiteGlobals = (suite: string): SuiteGlobals => globalsOf.get(suite) ?? {};

/**
 * Stacks as Node.js writes them, with paths that terminals and editors open. The formatter that jest sets for each suite
 * looks for source maps, in every frame.
 */
function showPathsInStacks(): void {
  Error.prepareStackTrace = (error, frames: readonly Printable[]) =>
    [Error.prototype.toString.call(error), ...frames].join('\n    at ').replaceAll(SUITE_URL, '$1');
}

type Printable = { toString: () => string };

const SUITE_URL = new RegExp(`file://(/[^?\\s]*)[?&]${SUITE}=\\d+`, 'g');
