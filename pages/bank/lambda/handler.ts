import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { describeFault, logger } from '../../../core/kernel/observability.ts';
import { requestOf, resultOf } from './http-event.ts';
import { bufferedLive } from './live-poll.ts';
import type { TableLog } from './live-log-store.ts';

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
