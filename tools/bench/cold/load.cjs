/**
 * Loads a Lambda as its runtime does, and prints the milliseconds from the start of the process until it can be called.
 * It is CommonJS, so that the loader of ES modules does not add to the time of a CommonJS Lambda.
 */
const { writeSync } = require('node:fs');

const report = ({ handler }) => {
  const wall = performance.now();
  const { user, system } = process.cpuUsage();
  if (typeof handler !== 'function') throw new Error('The module exports no handler');
  writeSync(1, JSON.stringify({ wall, cpu: (user + system) / 1_000 }));
  process.exit(0);
};

const fail = ({ message }) => {
  writeSync(2, message);
  process.exit(1);
};

const [file] = process.argv.slice(2);
if (file.endsWith('.mjs')) import(file).then(report).catch(fail);
else report(require(file));
