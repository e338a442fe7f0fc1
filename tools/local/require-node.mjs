// Plain JavaScript, loaded before the first TypeScript file, so that an older Node.js can run it and explain the error.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const needed = Number.parseInt(engines.node, 10);
const version = process.versions.node;

if (Number.parseInt(version, 10) !== needed) {
  console.error(
    `The local stack needs Node.js ${needed}, the version that its Lambdas run on; this is ${version}. ` +
      'On Linux "npm install" installs it, too; elsewhere get it from nodejs.org.',
  );
  process.exit(1);
}
