import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { staffUserDeps } from '../../core/lambda/staff-wiring.ts';
import { confirmationDeps, endpointDeps, pushChannels } from '../../core/lambda/wiring.ts';
import * as v from 'valibot';
import { noContent } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { staffDevicePath, tenantQuery } from '../../core/staff/requests.ts';
import { removeDevice } from '../../core/staff/remove-device.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = {
  ...confirmationDeps(client, env),
  ...endpointDeps(client, env),
  ...staffUserDeps(client, env),
  push: pushChannels(env),
};

const request = v.object({ path: staffDevicePath, query: tenantQuery });

export const handler = bodilessLambda(
  staffHandler(request, async ({ path, query: { tenantId } }, context) => {
    await removeDevice(deps, { ...path, tenantId }, context);
    return noContent;
  }),
);
