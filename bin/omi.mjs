#!/usr/bin/env node
// Plain JavaScript, so that an older Node.js can read it: it goes on with the newer one that the install brought along.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const OLDEST = 24;
const { platform, arch, versions } = process;
const fromRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

if (Number(versions.node.split('.')[0]) >= OLDEST) {
  await import('./omi.ts');
} else {
  const newer = fromRoot(`node_modules/node-${platform}-${arch}/bin/node`);
  if (!existsSync(newer)) {
    console.error(
      `omi needs Node.js ${OLDEST} or newer; this is ${versions.node}. ` +
        'On Linux "npm install" brings it along (an optional dependency); elsewhere install it from nodejs.org.',
    );
    process.exit(1);
  }
  const child = spawn(newer, [fromRoot('bin/omi.mjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both; others know of this process alone.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
