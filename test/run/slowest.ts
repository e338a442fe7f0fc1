/** Suites, or folders of them, that take longest, longest first: they wait for lifetimes and back-offs. */
export const slowest = [
  'test/browser/bank/',
  'test/cli/smoke/smoke.test.ts',
  'test/cli/smoke/examples.test.ts',
  'test/contract/fuzz.test.ts',
  'test/contract/export-faults',
  'test/contract/faults.test.ts',
  'test/contract/expiry.test.ts',
  'test/contract/website.test.ts',
  'test/contract/device.test.ts',
  'test/cli/commands.test.ts',
  'test/local/phone/',
  'test/local/demo/demo.test.ts',
  'test/contract/further-devices.test.ts',
  'test/contract/limits.test.ts',
  'test/packages/',
  'test/app/gallery/gallery.test.ts',
  'test/browser/',
  'test/core/export/',
  'test/contract/',
  'test/local/start/',
  'test/lib/app.test.ts',
  'test/lib/stage.test.ts',
];

/** @returns the place of the suite in the list; its length for all others */
export function rankOf(path: string): number {
  const rank = slowest.findIndex((beginning) => path.includes(`/${beginning}`));
  return rank === -1 ? slowest.length : rank;
}

/** How many quick suites begin after each slow one. */
const QUICK_BETWEEN = 2;

/**
 * Begins the slowest first, so that no worker is left with a long one, and quick ones between them: stacks that start
 * together would keep each other's first calls waiting.
 */
export function inOrder<Suite extends { path: string }>(suites: readonly Suite[]): Suite[] {
  const ranked = suites.toSorted((one, other) => rankOf(one.path) - rankOf(other.path));
  const slow = ranked.filter(({ path }) => rankOf(path) < slowest.length);
  const quick = ranked.slice(slow.length);
  const begun = slow.flatMap((suite, index) => [
    suite,
    ...quick.slice(index * QUICK_BETWEEN, (index + 1) * QUICK_BETWEEN),
  ]);
  return [...begun, ...quick.slice(slow.length * QUICK_BETWEEN)];
}
