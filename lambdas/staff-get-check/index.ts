import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { ConfirmationStore } from '../../core/confirmations/confirmation-store.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { checkPath, tenantQuery } from '../../core/staff/requests.ts';
import { checkView, findCheck } from '../../core/staff/caller-check.ts';
import { environment } from './definition.ts';

const { CONFIRMATIONS_TABLE } = parseEnvironment(environment, process.env);
const deps = { confirmations: new ConfirmationStore(documentClient(), CONFIRMATIONS_TABLE) };

const request = v.object({ path: checkPath, query: tenantQuery });

export const handler = bodilessLambda(
  staffHandler(request, async ({ path, query: { tenantId } }, context) =>
    json(200, checkView(await findCheck(deps, { ...path, tenantId }, context), context.now)),
  ),
);
