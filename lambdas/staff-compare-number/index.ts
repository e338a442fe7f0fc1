import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { ConfirmationStore } from '../../core/confirmations/confirmation-store.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { staffLog } from '../../core/lambda/staff-wiring.ts';
import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { checkPath, numberBody } from '../../core/staff/requests.ts';
import { checkView, compareNumber } from '../../core/staff/caller-check.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = {
  confirmations: new ConfirmationStore(client, env.CONFIRMATIONS_TABLE),
  log: staffLog(client, env),
};

const request = v.object({ path: checkPath, body: numberBody });

export const handler = jsonLambda(
  staffHandler(request, async ({ path, body }, context) =>
    json(200, checkView(await compareNumber(deps, { ...path, ...body }, context), context.now)),
  ),
);
