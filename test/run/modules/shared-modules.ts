import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import packageJson from '../../../package.json' with { type: 'json' };
import { javaScriptOf } from './java-script.ts';

const root = pathToFileURL(resolve(import.meta.dirname, '../../..')).href;

/** Where modules do nothing when they are loaded but to define what they export. Pages and examples are programs. */
const LIBRARIES =
  /^\/((core|lambdas|lib|cli|test|tools\/(bundling|client|documents|local)|pages\/bank\/(lambda|server)|packages\/(consumer|device|website)\/src)\/|pages\/\w+\/(build|headers)\.ts$)/;

/**
 * What a module has from the moment at which it is loaded, and what another suite would find changed: variables, empty
 * collections, what the environment says, what was said before to metrics and logs, and whose test runs.
 */
const STATE = [
  /\bprocess\.(env|on|once)\b/,
  /^(export )?let /m,
  /^(export )?const \w+\s*= (\[\]|\{\}|new (Weak)?(Map|Set)\s*\(\)|new (AbortController|EventEmitter|AsyncLocalStorage)\b)/m,
  /^(export )?const .*\bglobalThis\b/m,
  /\bnew (Metrics|Logger)\(/,
  /'@jest\/globals'/,
];

/** They keep answers that depend on the question alone, or that they have changed a package, which is shared as well. */
const PURE = new Set(
  [
    'tools/bundling/lazy-builtins.ts',
    'core/events/event-keys.ts',
    'core/export/targets/lanes.ts',
    'tools/local/aws/emulators/fauxqs/patches/due-messages.ts',
    'tools/local/aws/emulators/fauxqs/patches/message-groups.ts',
    'test/lib/synthesize.ts',
    'test/support/openapi.ts',
  ].map((path) => `${root}/${path}`),
);

const known = new Map<string, boolean>();

/** Whether all suites of a process may have the same module: it and all that it imports keep nothing of a suite. */
export function isShared(url: string): boolean {
  const found = known.get(url);
  if (found !== undefined) return found;
  const visited = new Set<string>();
  const isKeeping = keepsState(url, visited);
  // Of a circle, only the whole is known.
  if (!isKeeping) for (const one of visited) known.set(one, true);
  known.set(url, !isKeeping);
  return !isKeeping;
}

function keepsState(url: string, visited: Set<string>): boolean {
  if (known.get(url) === false) return true;
  if (visited.has(url) || url.endsWith('.json')) return false;
  visited.add(url);
  if (!isLibrary(url)) return true;
  const source = sourceOf(url);
  const keeps =
    (!PURE.has(url) && keepsSomething(source)) ||
    importsOf(source, url).some((imported) => keepsState(imported, visited));
  if (keeps) known.set(url, false);
  return keeps;
}

/** @param source without types */
export const keepsSomething = (source: string): boolean => STATE.some((pattern) => pattern.test(source));

const isLibrary = (url: string): boolean => url.startsWith(root) && LIBRARIES.test(url.slice(root.length));

function sourceOf(url: string): string {
  const path = fileURLToPath(url);
  return path.endsWith('.ts') ? javaScriptOf(path) : readFileSync(path, 'utf8');
}

const IMPORT = /\b(?:from|import)[\s(]*'([^']+)'/g;

/** The project's own modules that a module imports at any time. Types are already gone. */
const importsOf = (source: string, url: string): string[] =>
  [...source.matchAll(IMPORT)].flatMap(([, specifier = '']) => {
    if (specifier.startsWith('.')) return [new URL(specifier, url).href];
    return specifier in packageJson.imports ? [ownPackage(specifier)] : [];
  });

const ownPackage = (name: string): string =>
  pathToFileURL(join(fileURLToPath(root), new Map(Object.entries(packageJson.imports)).get(name) ?? '')).href;
