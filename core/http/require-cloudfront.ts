import type { MiddlewareObj } from '@middy/core';
import { cameThroughEdge, type Edge, viewerAddress } from './edge.ts';
import { commonHeaders, type HttpResponse } from './responses.ts';
import type { ApiEvent } from './api-event.ts';

/** The same response as API Gateway's own, so that it gives no hint about CloudFront. */
const forbidden: HttpResponse = {
  statusCode: 403,
  headers: { 'content-type': 'application/json', ...commonHeaders },
  body: JSON.stringify({ message: 'Forbidden' }),
};

/**
 * For an API behind CloudFront: rejects requests that bypassed it. For the others it sets the caller's address, because API
 * Gateway sees only CloudFront's.
 */
export const requireCloudFront = (edge: Edge | undefined): MiddlewareObj<ApiEvent, HttpResponse> => ({
  before: ({ event }) => {
    if (!edge) return;
    if (!cameThroughEdge(edge, event.headers)) return edge.isRequired ? forbidden : undefined;
    const { http } = event.requestContext;
    http.sourceIp = viewerAddress(event.headers) ?? http.sourceIp;
    return;
  },
});
