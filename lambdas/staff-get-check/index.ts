import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { ConfirmationStore } from '../../core/confirmations/confirmation-store.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const { CONFIRMATIONS_TABLE } = parseEnvironment(environment, process.env);

export const handler = bodilessLambda(
  createHandler({ confirmations: new ConfirmationStore(documentClient(), CONFIRMATIONS_TABLE) }),
);
