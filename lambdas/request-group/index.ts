import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { refuseAmbiguities } from '../../core/http/push-request.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { sendDeps } from '../../core/lambda/wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);

export const handler = jsonLambda(createHandler(sendDeps(documentClient(), env)), { refuseAmbiguities });
