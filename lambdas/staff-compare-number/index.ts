import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { ConfirmationStore } from '../../core/confirmations/confirmation-store.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { staffLog } from '../../core/lambda/staff-wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();

export const handler = jsonLambda(
  createHandler({
    confirmations: new ConfirmationStore(client, env.CONFIRMATIONS_TABLE),
    log: staffLog(client, env),
  }),
);
