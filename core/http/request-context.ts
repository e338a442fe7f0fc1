import type { RequestContext } from '../events/event.ts';
import type { ApiEvent } from './api-event.ts';

export const requestContextOf = ({ requestContext }: ApiEvent, now: number): RequestContext => ({
  now,
  origin: { traceId: requestContext.requestId, hostIp: requestContext.http.sourceIp },
});
