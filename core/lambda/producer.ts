import type { Producer } from '../events/event.ts';

/** A Lambda as the producer of events. */
export const producer = (): Producer => ({
  instanceId: process.env['AWS_LAMBDA_FUNCTION_NAME'] ?? 'omi',
  version: process.env['OMI_VERSION'] ?? '0',
});
