import { availableParallelism } from 'node:os';

// Metrics go to standard output, where only CloudWatch looks for them.
process.env.POWERTOOLS_METRICS_DISABLED = 'true';
process.env.POWERTOOLS_METRICS_NAMESPACE = 'omi';

/** Node.js loads the modules and strips the types. Type errors are `npm run types`'s business. */
export default {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: {},
  runtime: '<rootDir>/test/run/modules/runtime.ts',
  testEnvironment: '<rootDir>/test/run/modules/environment.ts',
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 120_000,
  // Milliseconds: on a busy machine, a process with so many modules takes longer to end than half a second.
  workerGracefulExitTimeout: 15_000,
  testSequencer: '<rootDir>/test/run/longest-first.mjs',
  // Many wait more than they compute: for buffers, back-offs and expiries that are as long as the contract says.
  maxWorkers: availableParallelism() + 2,
};
