import type { Call } from '../events/event.ts';
import type { ApiEvent } from './api-event.ts';

export const callOf = ({ requestContext }: ApiEvent, now: number): Call => ({
  now,
  origin: { traceId: requestContext.requestId, hostIp: requestContext.http.sourceIp },
});
