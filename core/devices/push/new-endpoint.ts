import type { DeviceStore } from '../device-store.ts';
import { describeFault, logger } from '../../kernel/observability.ts';
import { retryOnConflict } from '../../kernel/retry-on-conflict.ts';

/** Callbacks about an SNS endpoint, which is created before the write that assigns it to a device. */
export type NewEndpoint = { created: (endpointArn: string) => void; used: () => void };

/** A failure is only logged, because the caller gets the first error. */
async function release(devices: DeviceStore, endpointArn: string): Promise<void> {
  try {
    await retryOnConflict(async () => await devices.release(endpointArn));
  } catch (error) {
    logger.error('An unused endpoint may remain', { endpointArn, fault: describeFault(error) });
  }
}

/**
 * Runs a change that creates an SNS endpoint for a device. Unless the change calls `used`, the endpoint is recorded as
 * released, so that the push token of a rejected or removed device does not remain at SNS. A released endpoint is deleted
 * only if no device uses it, so an unnecessary record does no harm.
 */
export async function withNewEndpoint<T>(
  devices: DeviceStore,
  change: (endpoint: NewEndpoint) => Promise<T>,
): Promise<T> {
  let unused: string | undefined;
  const created = (endpointArn: string): void => void (unused = endpointArn);
  const used = (): void => void (unused = undefined);
  try {
    return await change({ created, used });
  } finally {
    if (unused !== undefined) await release(devices, unused);
  }
}
