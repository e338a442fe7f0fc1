import type { ExportReader } from '../client/export-reader.ts';
import type { StackFile } from '../client/local-stack.ts';
import type { WebsiteClient } from '../../client/website-client.ts';
import type { SimulatedDevice } from '../../client/device/simulated-device.ts';
import type { StepReporter } from './step-reporter.ts';

/** Who plays in the walkthrough. */
export type DemoContext = {
  stack: StackFile;
  website: WebsiteClient;
  phone: SimulatedDevice;
  userId: string;
  reporter: StepReporter;
  /** Where the tenant gets its events. */
  exports: Record<'public' | 'log', ExportReader>;
};
