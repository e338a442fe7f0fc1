import { DeviceCallStore } from '../../core/confirmations/device-call-store.ts';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { signedLambda } from '../../core/http/api-lambda.ts';
import { relyingPartyOf } from '../../core/devices/passkeys/passkey.ts';
import { baseUrlsOf, confirmationAndDeviceDeps, pushChannels } from '../../core/lambda/wiring.ts';
import * as v from 'valibot';
import { answerChallenge } from '../../core/confirmations/answer-challenge.ts';
import { countPasskeyRefusal } from '../../core/devices/passkeys/passkey-metrics.ts';
import { answerClaims } from '../../core/devices/protocol/claims.ts';
import { readDeviceCall, verifyDeviceCall } from '../../core/devices/protocol/device-call.ts';
import { sha256Text } from '../../core/kernel/identifiers.ts';
import { json } from '../../core/http/responses.ts';
import { requestContextOf } from '../../core/http/request-context.ts';
import { parseRequest } from '../../core/http/parse-request.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = {
  ...confirmationAndDeviceDeps(client, env),
  push: pushChannels(env),
  relyingParty: relyingPartyOf(env),
};
const calls = new DeviceCallStore(client, deps.devices, deps.confirmations);
const baseUrls = baseUrlsOf(env);

const request = v.object({ body: answerClaims });

export const handler = signedLambda(async (event) => {
  const context = requestContextOf(event, Date.now());
  const call = readDeviceCall(event.body ?? '', 'omi-response+jws');
  const { challengeId } = event.pathParameters ?? {};
  const knownForm = v.is(sha256Text, challengeId) ? challengeId : undefined;
  const status = await retryOnConflict(async () => {
    const record = await calls.load(call.identity, knownForm, context.now);
    const expected = { baseUrls, now: context.now };
    const device = await verifyDeviceCall(call, record.device, expected);
    const claims = parseRequest(request, { body: call.message.claims }).body;
    return await answerChallenge(deps, { ...record, device, claims, jws: call.message.jws, context });
  }).catch((error: unknown) => {
    countPasskeyRefusal(error);
    throw error;
  });
  return json(200, { status });
});
