import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { staffUserDeps } from '../../core/lambda/staff-wiring.ts';
import { AskedConfirmations } from '../../core/staff/asked-confirmation-store.ts';
import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { staffUserPath, staffUserQuery } from '../../core/staff/requests.ts';
import { viewUser } from '../../core/staff/users.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = {
  ...staffUserDeps(client, env),
  asked: new AskedConfirmations(client, env.EVENTS_TABLE),
};

const request = v.object({ path: staffUserPath, query: staffUserQuery });

export const handler = bodilessLambda(
  staffHandler(request, async ({ path: { userId }, query: { tenantId, before } }, context) =>
    json(200, await viewUser(deps, { tenantId, userId }, before, context)),
  ),
);
