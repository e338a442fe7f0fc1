import { MessageProgress } from '../../core/export/delivery/message-progress.ts';
import { batchLambda } from '../../core/lambda/batch-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { deliveryDeps } from '../../core/lambda/export-wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const backoff = {
  shortestSeconds: env.REDELIVERY_SHORTEST_WAIT,
  longestSeconds: env.REDELIVERY_LONGEST_WAIT,
};

export const handler = batchLambda(
  createHandler({ ...deliveryDeps(env), backoff, progress: new MessageProgress() }),
);
