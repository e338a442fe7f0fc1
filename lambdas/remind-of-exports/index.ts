import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { noticeDeps } from '../../core/lambda/notice-wiring.ts';
import { scheduledLambda } from '../../core/lambda/scheduled-lambda.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

export const handler = scheduledLambda(
  createHandler(noticeDeps(documentClient(), parseEnvironment(environment, process.env))),
);
