import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { LogStore } from '../../core/export/log/log-store.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { logKey } from '../../core/lambda/log-wiring.ts';
import * as v from 'valibot';
import { checkpointOf } from '../../core/export/log/served-checkpoint.ts';
import { categoryPath, checkpointQuery } from '../../core/http/request-schemas.ts';
import { plainText } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const deps = {
  logs: new LogStore(documentClient(), env.LOG_TABLE),
  key: logKey(env),
  baseUrl: env.BASE_URL,
};

const request = v.object({ path: categoryPath, query: checkpointQuery });

export const handler = bodilessLambda(
  websiteHandler(request, async ({ path: { category }, query }, { caller: { tenantId } }) => {
    const { signed } = await checkpointOf(deps, { tenantId, category }, query.generation);
    return plainText(signed.text);
  }),
);
