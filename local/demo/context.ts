import type { ExportReader } from '../client/export-reader.ts';
import type { StackFile } from '../client/local-stack.ts';
import type { WebsiteClient } from '../../client/website-client.ts';
import type { SimulatedDevice } from '../../client/device/simulated-device.ts';
import type { Narrator } from './narrator.ts';

/** Who plays in the walkthrough. */
export type Scene = {
  stack: StackFile;
  website: WebsiteClient;
  phone: SimulatedDevice;
  userId: string;
  narrator: Narrator;
  /** Where the tenant gets its events. */
  exports: Record<'public' | 'log', ExportReader>;
};
