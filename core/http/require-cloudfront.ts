import type { MiddlewareObj } from '@middy/core';
import { cameThroughEdge, type Edge, viewerAddress } from './edge.ts';
import { commonHeaders, type HttpResponse } from './responses.ts';
import type { ApiEvent } from './api-event.ts';

/** As API Gateway answers what it refuses: it tells nothing to somebody who goes round CloudFront. */
const forbidden: HttpResponse = {
  statusCode: 403,
  headers: { 'content-type': 'application/json', ...commonHeaders },
  body: JSON.stringify({ message: 'Forbidden' }),
};

/**
 * Where the API is behind CloudFront: refuses calls that went round it, and takes the caller's address from those that did not,
 * as API Gateway then knows CloudFront's alone.
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
