import { batchLambda } from '../../core/batch-lambda.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { deliveryDeps } from '../../core/export-wiring.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

export const handler = batchLambda(createHandler(deliveryDeps(parseEnvironment(environment, process.env))));
