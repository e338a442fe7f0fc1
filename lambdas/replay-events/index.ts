import { replayPace } from '../../core/export/replays/replay-events.ts';
import { batchLambda } from '../../core/lambda/batch-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { replayDeps } from '../../core/lambda/replay-wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
export const handler = batchLambda(
  createHandler(replayDeps(env), { ...replayPace, index: env.REPLAY_INDEX_DELAY }),
);
