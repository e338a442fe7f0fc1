import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';

/** Name, level and namespace come from the environment (POWERTOOLS_…), which the stack sets. */
export const logger = new Logger();
export const metrics = new Metrics();
