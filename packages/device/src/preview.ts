import type { EnrolmentPreview } from './reading.ts';
import type { EnrolmentLink } from './enrolment-link.ts';
import { send } from './request.ts';
import { devicePaths } from './messages.ts';
import { readPreview } from './reading.ts';
import { withRetries } from '../../http/src/retries.ts';

/**
 * Says for whom a code is, without using it up. Show it before you ask the user for anything. It needs no key.
 *
 * @param options `endpoint`: where calls go, if not to the base URL: the app's own origin, if that forwards to the service
 * @throws {DeviceError} `enrolment-not-found`, `enrolment-code-used` or `enrolment-code-expired`
 */
export async function preview(
  { baseUrl, code }: EnrolmentLink,
  {
    endpoint = baseUrl,
    fetch = globalThis.fetch,
  }: { endpoint?: string; fetch?: typeof globalThis.fetch } = {},
): Promise<EnrolmentPreview> {
  const request = {
    method: 'POST',
    url: `${endpoint}${devicePaths.preview}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  };
  return readPreview(await withRetries(async () => await send(fetch, request)));
}
