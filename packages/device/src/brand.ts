import { devicePaths } from './messages.ts';
import { type Brand, readBrand } from './reading.ts';
import { send } from './request.ts';
import { withRetries } from '../../http/src/retries.ts';

/**
 * How a tenant presents itself. Show it beside the names that are signed, never in their place. It needs no key, and is cached as the service
 * says.
 *
 * @param endpoint the base URL, or the app's own origin if that forwards to the service
 * @throws {DeviceError} `tenant-not-found`
 */
export async function brand(
  endpoint: string,
  tenantId: string,
  { fetch = globalThis.fetch }: { fetch?: typeof globalThis.fetch } = {},
): Promise<Brand> {
  const url = `${endpoint}${devicePaths.tenant(tenantId)}`;
  return readBrand(
    await withRetries(async () => await send(fetch, { method: 'GET', url, cache: 'default' })),
  );
}
