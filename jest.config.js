import { availableParallelism } from 'node:os';
import { longestTestMs } from './test/support/waiting.ts';

// Metrics go to standard output, where only CloudWatch looks for them.
process.env.POWERTOOLS_METRICS_DISABLED = 'true';
process.env.POWERTOOLS_METRICS_NAMESPACE = 'omi';

/** What `npm test` leaves to `npm run test:all`: browsers, stacks that are not shared, faults, killed processes, random input, programs that start, packed packages, examples, models and benches. */
const secondPart = [
  'test/browser/',
  'test/pages/(app|exports)/(gallery|platform)/',
  'test/pages/bank/bank',
  'test/packages/(elements/|mcp/|device-kotlin/|installed-|python/types|\\w+/stack|device/(conformance|retries|vectors/service)|website/calls)',
  'test/contract/(bus|events|export(?!s)|faults|fuzz|killed|lost-region|notices|permissions|restore|round-trips|signals-delivery|webhooks)',
  'test/core/(devices/push/broken-|events/event-store)',
  'test/core/export/(delivery|replays|ledger|kinds/webhook/webhooks)',
  'test/cli/(commands|smoke/|verification|many-targets|preflight|backup)',
  'test/docs/(agents/|site/|go-|website-examples/|ten-minutes|tenants|openid-connect|reconcile|consumer-examples|by-hand/|generators/)',
  'test/lib/(app|stage)',
  'test/models/',
  'test/bundling/',
  'test/tools/(bench|models|release/release|local/)',
];

const suites = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  // A package of this repository that another one imports by its name.
  moduleNameMapper: { '^@omi/website$': '<rootDir>/packages/website/src/index.ts' },
  transform: { '\\.ts$': '<rootDir>/test/support/jest/strip-types.mjs' },
  setupFiles: ['<rootDir>/test/support/jest/errors-of-node.mjs'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

export default {
  projects: [
    {
      ...suites,
      displayName: 'first',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: secondPart,
    },
    {
      ...suites,
      displayName: 'second',
      testRegex: secondPart.map((path) => `${path}.*\\.test\\.ts$`),
    },
  ],
  testTimeout: longestTestMs,
  // Milliseconds: on a busy machine, a process with so many modules takes longer to end than half a second.
  workerGracefulExitTimeout: 15_000,
  workerIdleMemoryLimit: '1GB',
  // Many wait more than they compute: for buffers, back-offs and expiries that are as long as the contract says.
  maxWorkers: availableParallelism() + 2,
};
