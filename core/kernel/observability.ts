import { Logger } from '@aws-lambda-powertools/logger';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import { ConflictError } from './conflict-error.ts';

/** The stack sets name and level in the environment (POWERTOOLS_…). */
export const logger = new Logger();

/** A dimension of every metric, because one account may have several stages. */
export const stage = process.env['OMI_STAGE'] ?? 'local';

const version = process.env['AWS_LAMBDA_FUNCTION_VERSION'];

/**
 * A dependency was throttled, unavailable or slow, or there was a conflict with concurrent requests: not a fault of the
 * deployed version. Includes time-outs, whose cause is unknown.
 */
function isDependencyFault(error: Error): boolean {
  const asOfSdk = error as Parameters<typeof isTransientError>[0];
  if (error instanceof ConflictError || isThrottlingError(asOfSdk) || isTransientError(asOfSdk)) return true;
  return error.cause instanceof Error && isDependencyFault(error.cause);
}

/** The alarms that roll a deployment back count only faults of the `service`. */
type FaultOrigin = 'service' | 'dependency';

const originOf = (error: unknown): FaultOrigin =>
  error instanceof Error && isDependencyFault(error) ? 'dependency' : 'service';

/**
 * The fields of a fault in the log. They omit the message, which may contain keys and values of an item; name and code
 * locations are enough. Stage and version are dimensions of the metrics that are made from these lines.
 */
export function describeFault(error: unknown): Record<string, unknown> {
  const where = { origin: originOf(error), stage, version };
  if (!(error instanceof Error)) return { name: typeof error, ...where };
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return { name: error.name, ...where, frames: frames.slice(0, 5).map((frame) => frame.trim()) };
}
