import { batchLambda } from '../../core/lambda/batch-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { replayDeps } from '../../core/lambda/replay-wiring.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

export const handler = batchLambda(createHandler(replayDeps(parseEnvironment(environment, process.env))));
