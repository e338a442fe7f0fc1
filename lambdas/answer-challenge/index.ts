import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { signedLambda } from '../../core/http/api-lambda.ts';
import { relyingPartyOf } from '../../core/devices/passkeys/passkey.ts';
import {
  baseUrlsOf,
  deviceCallStore,
  confirmationAndDeviceDeps,
  pushChannels,
} from '../../core/lambda/wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = {
  ...confirmationAndDeviceDeps(client, env),
  push: pushChannels(env),
  relyingParty: relyingPartyOf(env),
};

export const handler = signedLambda(
  createHandler({ ...deps, calls: deviceCallStore(client, deps), baseUrls: baseUrlsOf(env) }),
);
