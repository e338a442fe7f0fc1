import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { LogStore } from '../../core/export/log/log-store.ts';
import { listLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import * as v from 'valibot';
import { rangeOfTimes } from '../../core/export/ledger/ledger-request.ts';
import { findLog } from '../../core/export/log/find-log.ts';
import { listMinutes } from '../../core/export/log/list-minutes.ts';
import { categoryPath, minutesQuery } from '../../core/http/request-schemas.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { environment } from './definition.ts';

const { LOG_TABLE } = parseEnvironment(environment, process.env);
const deps = { logs: new LogStore(documentClient(), LOG_TABLE) };

const request = v.object({ path: categoryPath, query: minutesQuery });

export const handler = listLambda(
  websiteHandler(request, async ({ path: { category }, query }, { caller: { tenantId } }) => {
    const { generation, ...times } = query;
    const range = rangeOfTimes(times);
    const head = await findLog(deps.logs, { tenantId, category }, generation);
    return json(200, { minutes: await listMinutes(deps, head, range) });
  }),
);
