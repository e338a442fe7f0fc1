import { FurtherDevicesPolicyStore } from '../../core/tenants/further-devices-policy-store.ts';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import {
  baseUrlsOf,
  deviceCallStore,
  confirmationDeps,
  endpointDeps,
  pushChannels,
} from '../../core/lambda/wiring.ts';
import { relyingPartyOf } from '../../core/devices/passkeys/passkey.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const policies = new FurtherDevicesPolicyStore(client, env.TENANTS_TABLE);
const deps = {
  ...confirmationDeps(client, env),
  ...endpointDeps(client, env),
  push: pushChannels(env),
  policies,
};

export const handler = bodilessLambda(
  createHandler({
    ...deps,
    calls: deviceCallStore(client, deps),
    relyingParty: relyingPartyOf(env),
    baseUrls: baseUrlsOf(env),
  }),
);
