import type { DeviceStore } from '../device-store.ts';
import { describeFault, logger } from '../../kernel/observability.ts';
import { retryOnConflict } from '../../kernel/retry-on-conflict.ts';

/** An SNS endpoint on its way to a device: it is made before the write that gives it to the device. */
export type NewEndpoint = { created: (endpointArn: string) => void; used: () => void };

/** If this fails, the endpoint may stay: the caller is told what failed before. */
async function release(devices: DeviceStore, endpointArn: string): Promise<void> {
  try {
    await retryOnConflict(async () => await devices.release(endpointArn));
  } catch (error) {
    logger.error('An unused endpoint may stay', { endpointArn, fault: describeFault(error) });
  }
}

/**
 * Runs a change that makes an SNS endpoint for a device. Unless the change says that the device uses it, the endpoint is
 * noted as released: otherwise the push token of a device that was refused, or removed meanwhile, would stay at SNS. The
 * endpoint is deleted only if no device uses it, so a note too many does no harm.
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
