import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { LogStore } from '../../core/export/log/log-store.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { logKey } from '../../core/lambda/log-wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);

export const handler = bodilessLambda(
  createHandler({
    logs: new LogStore(documentClient(), env.LOG_TABLE),
    key: logKey(env),
    baseUrl: env.BASE_URL,
  }),
);
