import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { AttemptLog } from '../../core/export/delivery/attempt-log-store.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const { ATTEMPTS_TABLE } = parseEnvironment(environment, process.env);

export const handler = bodilessLambda(
  createHandler({ log: new AttemptLog(documentClient(), ATTEMPTS_TABLE) }),
);
