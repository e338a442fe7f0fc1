import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { AttemptLog, attemptCursor } from '../../core/export/delivery/attempt-log-store.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import * as v from 'valibot';
import { attemptView } from '../../core/export/delivery/attempt-view.ts';
import { categoryPath, deliveriesQuery } from '../../core/http/request-schemas.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { invalidField } from '../../core/kernel/refusal.ts';
import { environment } from './definition.ts';

const { ATTEMPTS_TABLE } = parseEnvironment(environment, process.env);
const log = new AttemptLog(documentClient(), ATTEMPTS_TABLE);

const request = v.object({ path: categoryPath, query: deliveriesQuery });

const usualLimit = 50;

export const handler = bodilessLambda(
  websiteHandler(request, async ({ path: { category }, query }, { caller: { tenantId } }) => {
    const { limit = usualLimit, cursor: after, failed } = query;
    if (after !== undefined && !v.is(attemptCursor, after))
      throw invalidField('#/query/cursor', 'expected the cursor of an earlier answer');
    const page = { limit, isFailed: failed === 'true', ...(after !== undefined && { after }) };
    const { attempts, cursor } = await log.page({ tenantId, category }, page);
    return json(200, {
      deliveries: attempts.map((one) => attemptView(one)),
      ...(cursor !== undefined && { cursor }),
    });
  }),
);
