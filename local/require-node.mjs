// Plain JavaScript, loaded before the first TypeScript file: an older Node.js can read this one and say what is wrong.
const OLDEST = 24;
const version = process.versions.node;

if (Number(version.split('.')[0]) < OLDEST) {
  console.error(
    `The local stack needs Node.js ${OLDEST} or newer; this is ${version}. ` +
      'On Linux "npm install" brings it along (an optional dependency); elsewhere install it from nodejs.org.',
  );
  process.exit(1);
}
