import { batchLambda } from '../../core/batch-lambda.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { replayDeps } from '../../core/replay-wiring.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

export const handler = batchLambda(createHandler(replayDeps(parseEnvironment(environment, process.env))));
