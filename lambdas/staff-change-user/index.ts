import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { staffUserDeps } from '../../core/lambda/staff-wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

export const handler = jsonLambda(
  createHandler(staffUserDeps(documentClient(), parseEnvironment(environment, process.env))),
);
