/**
 * Loads a Lambda as its runtime does, and says how many milliseconds after the process began it could be called. In
 * CommonJS, so that a process which loads nothing else needs no more.
 */
const { writeSync } = require('node:fs');

const tell = ({ handler }) => {
  const ready = performance.now();
  if (typeof handler !== 'function') throw new Error('it exports no handler');
  writeSync(1, String(ready));
  process.exit(0);
};

const fail = ({ message }) => {
  writeSync(2, message);
  process.exit(1);
};

const [file] = process.argv.slice(2);
if (file.endsWith('.mjs')) import(file).then(tell).catch(fail);
else tell(require(file));
