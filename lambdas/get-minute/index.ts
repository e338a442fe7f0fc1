import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { LeafStore } from '../../core/export/log/leaf-store.ts';
import { LogStore } from '../../core/export/log/log-store.ts';
import { listLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import * as v from 'valibot';
import { findLog } from '../../core/export/log/find-log.ts';
import { listLeaves } from '../../core/export/log/list-minutes.ts';
import { leavesQuery, minutePath } from '../../core/http/request-schemas.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { environment } from './definition.ts';

const { LOG_TABLE } = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = { logs: new LogStore(client, LOG_TABLE), leaves: new LeafStore(client, LOG_TABLE) };

const request = v.object({ path: minutePath, query: leavesQuery });

export const handler = listLambda(
  websiteHandler(request, async ({ path: { category, minute }, query }, { caller: { tenantId } }) => {
    const head = await findLog(deps.logs, { tenantId, category }, query.generation);
    return json(200, await listLeaves(deps, head, minute, query.cursor ?? 0));
  }),
);
