import { Logger } from '@aws-lambda-powertools/logger';

/** Name and level come from the environment (POWERTOOLS_…), which the stack sets. */
export const logger = new Logger();

/** A vendor's message may carry keys and values of an item; its name and code locations are enough to find it. */
export function describeFault(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return { name: error.name, frames: frames.slice(0, 5).map((frame) => frame.trim()) };
}
