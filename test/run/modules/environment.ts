import { InvokeStore } from '@aws/lambda-invoke-store';
import type { JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { endDatabases } from '../../support/suite-databases.ts';
import { ProcessState } from './process-state.ts';

/** The globals of the process, which are as before when the suite ends. */
export default class ProcessEnvironment implements JestEnvironment {
  readonly global = globalThis as unknown as JestEnvironment['global'];
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly #before = new ProcessState();

  constructor({ projectConfig: config }: JestEnvironmentConfig) {
    this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
  }

  /**
   * The AWS SDK's store of the trace of a call stays loaded. This kind keeps the trace for that call alone; the kind that
   * the first client would make keeps it until the next call, which may be of another suite.
   */
  async setup(): Promise<void> {
    await InvokeStore.getInstanceAsync(true);
  }

  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    try {
      await endDatabases();
    } finally {
      this.#before.restore();
    }
  }

  /** Jest asks, but nothing runs in it. */
  getVmContext(): object {
    return {};
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }
}
