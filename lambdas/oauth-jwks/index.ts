import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { PublishedKeyStore } from '../../core/keys/published-key-store.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const { TENANTS_TABLE } = parseEnvironment(environment, process.env);

export const handler = bodilessLambda(
  createHandler({ keys: new PublishedKeyStore(documentClient(), TENANTS_TABLE) }),
);
