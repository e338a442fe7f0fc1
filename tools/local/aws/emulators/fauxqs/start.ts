import { buildApp } from 'fauxqs';
import { type Backend, endToEnd } from '../../endpoint/http.ts';
import { region } from '../../identity.ts';
import { withSubresources } from './patches/bucket-subresources.ts';
import { waitForDueMessages } from './patches/due-messages.ts';
import { acceptEveryCharacter } from './patches/message-characters.ts';
import { deliverWholeGroups } from './patches/message-groups.ts';
import { openStores } from './patches/persistence.ts';
import { withReachableUrls } from './patches/queue-urls.ts';
import { withTraceHeaders } from './patches/trace-headers.ts';

export type Fauxqs = { s3: Backend; sqs: Backend; close: () => Promise<void> };

/** SQS and S3 in this process. Nothing listens here: the endpoints pass their requests to the app. */
export async function startFauxqs(dataDirectory?: string): Promise<Fauxqs> {
  await Promise.all([acceptEveryCharacter(), deliverWholeGroups(), waitForDueMessages()]);
  const persistent = dataDirectory === undefined ? undefined : await openStores(dataDirectory);
  const app = buildApp({
    logger: false,
    defaultRegion: region,
    ...(persistent && { stores: persistent.stores }),
  });
  await app.ready();
  const backend: Backend = async ({ method, url, headers, body }) => {
    const {
      statusCode,
      headers: received,
      rawPayload,
    } = await app.inject({
      method: method as 'GET',
      url,
      headers: endToEnd(headers),
      payload: body,
    });
    return { status: statusCode, headers: endToEnd(received), body: rawPayload };
  };
  return {
    s3: withSubresources(backend),
    sqs: withTraceHeaders(withReachableUrls(backend)),
    close: async () => {
      await app.close();
      persistent?.close();
    },
  };
}
