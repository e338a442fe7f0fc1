import type { DeviceStore } from '../adapters/device-store.ts';
import type { PushGateway } from '../adapters/push-gateway.ts';
import { logger } from '../observability.ts';

export type EndpointDeps = { devices: DeviceStore; gateway: PushGateway };

/**
 * Deletes an endpoint that no device uses any more. The device's own change is committed by now, so a fault
 * here must not turn into a refusal of it; what stays behind is an endpoint that nothing sends to. Should
 * another device take the same token at this very moment, its next push finds the endpoint gone and renews it.
 */
export async function releaseEndpoint(
  { devices, gateway }: EndpointDeps,
  endpointArn: string,
): Promise<void> {
  try {
    if (!(await devices.isEndpointUsed(endpointArn))) await gateway.deleteEndpoint(endpointArn);
  } catch (error) {
    logger.warn('An unused endpoint stays behind', { fault: error instanceof Error ? error.name : '' });
  }
}
