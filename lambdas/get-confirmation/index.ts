import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { confirmationDeps } from '../../core/lambda/wiring.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);

export const handler = bodilessLambda(createHandler(confirmationDeps(documentClient(), env)));
