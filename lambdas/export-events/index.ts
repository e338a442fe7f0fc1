import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { BusyMinuteStore } from '../../core/export/log/busy-minute-store.ts';
import { batchLambda } from '../../core/lambda/batch-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { deliveryDeps } from '../../core/lambda/export-wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);

export const handler = batchLambda(
  createHandler({ ...deliveryDeps(env), busy: new BusyMinuteStore(documentClient(), env.LOG_TABLE) }),
);
