import { batchLambda } from '../../core/lambda/batch-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { deliveryDeps } from '../../core/lambda/export-wiring.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

export const handler = batchLambda(createHandler(deliveryDeps(parseEnvironment(environment, process.env))));
