import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { pushHandler } from '../../core/http/push-handler.ts';
import { refuseAmbiguities } from '../../core/http/push-request.ts';
import { devicePath } from '../../core/http/request-schemas.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { sendDeps } from '../../core/lambda/wiring.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);

export const handler = jsonLambda(pushHandler(sendDeps(documentClient(), env), devicePath), {
  refuseAmbiguities,
});
