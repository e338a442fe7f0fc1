import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { describeFault, logger } from '../../../core/kernel/observability.ts';
import { requestOf, resultOf } from './http-event.ts';
import type { TableLog } from './live-log-store.ts';

const pauseMs = 2_000;

/**
 * An HTTP API cannot stream. So the live messages that are there are the whole answer, and the browser asks again after a pause
 * with the id of the last one (WHATWG HTML, section 9.2). Other answers stay as they are.
 *
 * @param idle resolves when there are no more messages
 */
async function bufferedLive(response: Response, idle: Promise<unknown>): Promise<Response> {
  const { body, status, headers } = response;
  if (!body || headers.get('content-type') !== 'text/event-stream') return response;
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  const end = idle.then(() => undefined);
  for (;;) {
    const read = await Promise.race([reader.read(), end]);
    if (!read?.value) break;
    chunks.push(read.value);
  }
  await reader.cancel();
  return new Response(`${Buffer.concat(chunks).toString()}retry: ${pauseMs}\n\n`, { status, headers });
}

export type Deps = { site: (request: Request) => Promise<Response>; log: TableLog };

const failed = (): Response =>
  new Response('The demo bank failed. Try again.\n', {
    status: 503,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'retry-after': '2' },
  });

/** The demo bank for API Gateway. */
export function createHandler({ site, log }: Deps) {
  return async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const request = requestOf(event);
    const idle = log.idle();
    try {
      const response = await bufferedLive(await site(request), idle);
      await log.flush();
      return await resultOf(request, response);
    } catch (error) {
      logger.error('The demo bank failed', { fault: describeFault(error) });
      return await resultOf(request, failed());
    }
  };
}
