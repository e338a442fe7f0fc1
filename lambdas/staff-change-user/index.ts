import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { staffUserDeps } from '../../core/lambda/staff-wiring.ts';
import * as v from 'valibot';
import { noContent } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { staffUserPath, userActBody } from '../../core/staff/requests.ts';
import { changeUser } from '../../core/staff/users.ts';
import { environment } from './definition.ts';

const deps = staffUserDeps(documentClient(), parseEnvironment(environment, process.env));

const request = v.object({ path: staffUserPath, body: userActBody });

export const handler = jsonLambda(
  staffHandler(request, async ({ path: { userId }, body: { tenantId, act } }, context) => {
    await changeUser(deps, { tenantId, userId }, act, context);
    return noContent;
  }),
);
