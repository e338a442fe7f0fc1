import type { DeviceStore } from '../device-store.ts';
import type { EndpointClient } from './endpoint-client.ts';
import type { ReleasedEndpoint, ReleasedEndpointStore } from './released-endpoint-store.ts';
import { describeFault, logger } from '../../kernel/observability.ts';
import { mapConcurrent } from '../../kernel/map-concurrent.ts';

export type EndpointDeps = {
  devices: DeviceStore;
  released: ReleasedEndpointStore;
  endpoints: EndpointClient;
};

/**
 * Deletes an endpoint unless a device uses it. If another device starts to use the same token at this moment, its next push
 * finds the endpoint gone and creates a new one.
 */
async function deleteUnlessUsed(
  { devices, released, endpoints }: EndpointDeps,
  release: ReleasedEndpoint,
): Promise<void> {
  const { endpointArn } = release;
  if (!(await devices.isEndpointUsed(endpointArn))) await endpoints.deleteEndpoint(endpointArn);
  await released.forget(release);
}

/**
 * The first attempt to delete an endpoint that a device has stopped using. The device's change and the release are committed
 * already, so a failure is only logged: {@link releaseEndpoints} tries again.
 */
export async function releaseEndpoint(deps: EndpointDeps, release: ReleasedEndpoint): Promise<void> {
  try {
    await deleteUnlessUsed(deps, release);
  } catch (error) {
    const { endpointArn } = release;
    logger.warn('An endpoint will be deleted later', { endpointArn, fault: describeFault(error) });
  }
}

export type ReleasesDeps = EndpointDeps & { releases: () => AsyncIterable<ReleasedEndpoint[]> };

/** `oldest` is the time of the oldest release that failed. */
export type Released = { done: number; failed: number; oldest?: number };

const concurrency = 10;

async function tryToDelete(deps: EndpointDeps, release: ReleasedEndpoint): Promise<boolean> {
  try {
    await deleteUnlessUsed(deps, release);
    return true;
  } catch (error) {
    const { endpointArn } = release;
    logger.error('The endpoint could not be deleted', { endpointArn, fault: describeFault(error) });
    return false;
  }
}

/**
 * Completes all releases whose first attempt failed or never ran. A failure does not affect the others. Releases that are not
 * reached in time wait for the next run.
 */
export async function releaseEndpoints(deps: ReleasesDeps, endsAt: number): Promise<Released> {
  const outcome: Released = { done: 0, failed: 0 };
  for await (const page of deps.releases()) {
    await mapConcurrent(page, concurrency, async (release) => {
      if (Date.now() >= endsAt) return;
      if (await tryToDelete(deps, release)) outcome.done += 1;
      else {
        outcome.failed += 1;
        outcome.oldest = Math.min(release.releasedAt, outcome.oldest ?? Infinity);
      }
    });
    if (Date.now() >= endsAt) break;
  }
  return outcome;
}
