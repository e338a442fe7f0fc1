/** Suites, or folders of them, that take longest, longest first: they wait for lifetimes and back-offs. */
export const slowest = [
  'test/cli/smoke/smoke.test.ts',
  'test/contract/fuzz.test.ts',
  'test/contract/export',
  'test/contract/website.test.ts',
  'test/contract/device.test.ts',
  'test/contract/expiry.test.ts',
  'test/contract/faults.test.ts',
  'test/cli/commands.test.ts',
  'test/local/demo/demo.test.ts',
  'test/contract/further-devices.test.ts',
  'test/contract/limits.test.ts',
  'test/core/export/',
  'test/contract/',
  'test/local/start/',
  'test/lib/app.test.ts',
];

/** @returns the place in a run; of two suites the one with the lower rank begins first */
export function rankOf(path: string): number {
  const rank = slowest.findIndex((beginning) => path.includes(`/${beginning}`));
  return rank === -1 ? slowest.length : rank;
}
