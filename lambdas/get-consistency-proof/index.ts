import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { LogStore } from '../../core/export/log/log-store.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import * as v from 'valibot';
import { findLog } from '../../core/export/log/find-log.ts';
import { proveConsistency } from '../../core/export/log/prove.ts';
import { categoryPath, consistencyQuery } from '../../core/http/request-schemas.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { environment } from './definition.ts';

const { LOG_TABLE } = parseEnvironment(environment, process.env);
const deps = { logs: new LogStore(documentClient(), LOG_TABLE) };

const request = v.object({ path: categoryPath, query: consistencyQuery });

export const handler = bodilessLambda(
  websiteHandler(request, async ({ path: { category }, query }, { caller: { tenantId } }) => {
    const head = await findLog(deps.logs, { tenantId, category }, query.generation);
    return json(200, await proveConsistency(deps, head, query));
  }),
);
