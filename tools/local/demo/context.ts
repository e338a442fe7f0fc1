import type { Omi } from '#website';
import type { ExportReader } from '../client/export-reader.ts';
import type { StackFile } from '../client/local-stack.ts';
import type { WebsiteClient } from '../../../client/website-client.ts';
import type { Patience } from '../../../client/waiting.ts';
import type { DemoDevice } from './device.ts';
import type { StepReporter } from './step-reporter.ts';

/** The participants of the demo. */
export type DemoContext = {
  stack: StackFile;
  website: Omi;
  /** The platform's other services, which record events. They use the same client. */
  services: WebsiteClient;
  device: DemoDevice;
  /** How long the user may take for an enrolment or an answer. */
  patience: Patience;
  userId: string;
  reporter: StepReporter;
  /** Readers of the tenant's exported events. */
  exports: Record<'public' | 'log', ExportReader>;
};
