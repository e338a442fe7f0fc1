let calls = 0;

/** Fails in the way that the event names; otherwise tells how often this environment was called. */
export const handler = async ({ way }) => {
  calls += 1;
  if (way === 'throw') throw new RangeError('out of range');
  if (way === 'throw text') throw 'text';
  if (way === 'exit') process.exit(3);
  if (way === 'uncaught') setTimeout(() => JSON.parse('{'));
  if (way === 'busy') for (;;);
  if (way === 'hang' || way === 'uncaught') await new Promise(() => {});
  return calls;
};
