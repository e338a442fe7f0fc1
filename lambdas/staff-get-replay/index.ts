import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { ReplayStore } from '../../core/export/replays/replay-store.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const { TENANTS_TABLE } = parseEnvironment(environment, process.env);

export const handler = bodilessLambda(
  createHandler({ replays: new ReplayStore(documentClient(), TENANTS_TABLE) }),
);
