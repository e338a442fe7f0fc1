import { Logger } from '@aws-lambda-powertools/logger';

/** Name and level come from the environment (POWERTOOLS_…), which the stack sets. */
export const logger = new Logger();
