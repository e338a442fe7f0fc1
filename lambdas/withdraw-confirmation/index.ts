import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { OpenConfirmations } from '../../core/confirmations/open-confirmation-store.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { confirmationDeps } from '../../core/lambda/wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const openConfirmations = new OpenConfirmations(client, env.DEVICES_TABLE);

export const handler = bodilessLambda(createHandler({ ...confirmationDeps(client, env), openConfirmations }));
