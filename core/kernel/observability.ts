import { Logger } from '@aws-lambda-powertools/logger';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import { ConflictError } from './conflict-error.ts';

/** Name and level come from the environment (POWERTOOLS_…), which the stack sets. */
export const logger = new Logger();

/** A dimension of every metric: the stages of an account are counted apart. */
export const stage = process.env['OMI_STAGE'] ?? 'local';

const version = process.env['AWS_LAMBDA_FUNCTION_VERSION'];

/**
 * A service that we use was too busy, away or too slow, or other callers were quicker. No version of the code is to blame
 * for this. A call that ran out of time counts here, too: it looks the same.
 */
function isDependencyFault(error: Error): boolean {
  const asOfSdk = error as Parameters<typeof isTransientError>[0];
  if (error instanceof ConflictError || isThrottlingError(asOfSdk) || isTransientError(asOfSdk)) return true;
  return error.cause instanceof Error && isDependencyFault(error.cause);
}

/** Where a fault comes from. The alarms that take a deployment back count those of the `service` alone. */
type FaultOrigin = 'service' | 'dependency';

const originOf = (error: unknown): FaultOrigin =>
  error instanceof Error && isDependencyFault(error) ? 'dependency' : 'service';

/**
 * A fault as the log has it. A vendor's message may carry keys and values of an item; its name and code locations are
 * enough to find it. Stage and version are dimensions of the metrics that are made of such lines.
 */
export function describeFault(error: unknown): Record<string, unknown> {
  const where = { origin: originOf(error), stage, version };
  if (!(error instanceof Error)) return { name: typeof error, ...where };
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return { name: error.name, ...where, frames: frames.slice(0, 5).map((frame) => frame.trim()) };
}
