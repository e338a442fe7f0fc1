/**
 * Builds `dist/` of the package in the current folder: modules, and below `dist/cjs/` the same for CommonJS, with types for both.
 *
 *     node ../../tools/release/build-package.ts
 */
import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const compiler = fileURLToPath(new URL('../../node_modules/@typescript/native/bin/tsc', import.meta.url));

function compile(...options: string[]): void {
  const args = ['-p', 'tsconfig.build.json', '--sourceMap', '--inlineSources', ...options];
  // Standard output may be that of `npm pack --json`.
  execFileSync(process.execPath, [compiler, ...args], { stdio: ['ignore', process.stderr, process.stderr] });
}

await rm('dist', { recursive: true, force: true });
compile();
const commonJs = { module: 'commonjs', moduleResolution: 'bundler', verbatimModuleSyntax: 'false' };
compile('--outDir', 'dist/cjs', ...Object.entries(commonJs).flatMap(([name, value]) => [`--${name}`, value]));
// The nearest package.json says of which kind a module and its types are.
await writeFile('dist/cjs/package.json', '{ "type": "commonjs", "sideEffects": false }\n');
