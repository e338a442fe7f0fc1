import type { DeviceSettings } from './reading.ts';
import { send } from './request.ts';
import { devicePaths } from './messages.ts';
import { readSettings } from './reading.ts';
import { withRetries } from '../../http/src/retries.ts';

/**
 * The service's settings for devices. They need no key.
 *
 * @param endpoint the base URL, or the app's own origin if that forwards to the service
 * @throws {DeviceError}
 */
export async function settings(
  endpoint: string,
  { fetch = globalThis.fetch }: { fetch?: typeof globalThis.fetch } = {},
): Promise<DeviceSettings> {
  const url = `${endpoint}${devicePaths.settings}`;
  const body = await withRetries(async () => await send(fetch, { method: 'GET', url, cache: 'default' }));
  return readSettings(body);
}
