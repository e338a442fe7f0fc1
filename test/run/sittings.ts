/**
 * The two sittings in which the tests run. `npm test` leaves out what these patterns name, and `npm run test:all` runs it: suites
 * with browsers, faults, killed processes, random input, programs that start, packed packages, examples and benches.
 */
export const secondSitting = [
  'test/browser/',
  'test/pages/(app|exports)/(gallery|platform)/',
  'test/pages/bank/bank\\.test',
  'test/packages/(elements/|installed-|\\w+/stack\\.test|device/vectors/service)',
  'test/contract/(export-faults|faults|fuzz|killed|permissions)',
  'test/core/events/event-store',
  'test/core/export/(delivery|replays|ledger)/',
  'test/cli/(commands|smoke/|verification|many-targets)',
  'test/docs/(agents/|website-examples/|ten-minutes|tenants|openid-connect|reconcile|consumer-examples|by-hand/)',
  'test/lib/stage\\.test',
  'test/tools/(bench|bundling|local)/',
];
