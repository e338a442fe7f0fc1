import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { staffUserDeps } from '../../core/lambda/staff-wiring.ts';
import { sendDeps } from '../../core/lambda/wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();

export const handler = jsonLambda(createHandler({ ...sendDeps(client, env), ...staffUserDeps(client, env) }));
