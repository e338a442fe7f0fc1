import { randomUUID } from 'node:crypto';
import {
  type LoggedAct,
  type LogEvent,
  logEventOf,
  type Producer,
  type RequestContext,
} from '../core/events/event.ts';
import { operatorInstanceId } from '../core/events/own-events.ts';
import manifest from '../package.json' with { type: 'json' };

/** The producer of the events that the commands record. */
export const producer: Producer = { instanceId: operatorInstanceId, version: manifest.version };

export const operatorContext = (): RequestContext => ({
  now: Date.now(),
  origin: { traceId: `cli-${randomUUID()}` },
});

/** Tells a tenant, in its log, what an operator did. */
export const operatorEvent = (act: LoggedAct, context: RequestContext): LogEvent =>
  logEventOf(act, context, producer);
