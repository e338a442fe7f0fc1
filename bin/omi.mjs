#!/usr/bin/env node
// Plain JavaScript, so that an older Node.js can run it. It continues with the version that the install brought along.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const { platform, arch, versions } = process;
const fromRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const { engines } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8'));
const needed = Number.parseInt(engines.node, 10);

if (Number.parseInt(versions.node, 10) === needed) {
  await import('./omi.ts');
} else {
  const brought = fromRoot(`node_modules/node-${platform}-${arch}/bin/node`);
  if (!existsSync(brought)) {
    console.error(
      `omi needs Node.js ${needed}; this is ${versions.node}. ` +
        'On Linux "npm install" brings it along (an optional dependency); elsewhere install it from nodejs.org.',
    );
    process.exit(1);
  }
  const child = spawn(brought, [fromRoot('bin/omi.mjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both processes. Other senders know only this one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
