import type { Backend } from '../../../endpoint/http.ts';
import { accountId } from '../../../identity.ts';
import { withBody } from '../../../endpoint/http.ts';

const queueOrigin = new RegExp(`http://[^"/]+(?=/${accountId}/)`, 'g');

/**
 * Queue URLs have the host that the caller used. The emulator makes hosts like `sqs.eu-central-1.localhost`, which not
 * every machine resolves, and keeps them when the port changes.
 *
 * Remove when fauxqs builds queue URLs from the request's `Host`.
 */
export const withReachableUrls =
  (backend: Backend): Backend =>
  async (request) => {
    const response = await backend(request);
    const body = response.body.toString();
    if (!body.includes('"QueueUrl')) return response;
    return withBody(response, body.replace(queueOrigin, `http://${String(request.headers.host)}`));
  };
