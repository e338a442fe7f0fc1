import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { staffUserDeps } from '../../core/lambda/staff-wiring.ts';
import { sendDeps } from '../../core/lambda/wiring.ts';
import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { checkBody, staffUserPath } from '../../core/staff/requests.ts';
import { checkCaller, checkView } from '../../core/staff/caller-check.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = { ...sendDeps(client, env), ...staffUserDeps(client, env) };

const request = v.object({ path: staffUserPath, body: checkBody });

export const handler = jsonLambda(
  staffHandler(request, async ({ path, body }, context) =>
    json(202, checkView(await checkCaller(deps, { ...path, ...body }, context), context.now)),
  ),
);
