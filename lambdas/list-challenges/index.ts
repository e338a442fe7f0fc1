import { randomUUID } from 'node:crypto';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import type { Fetch } from '../../core/confirmations/confirmation.ts';
import { ConfirmationStore } from '../../core/confirmations/confirmation-store.ts';
import { DeviceCallStore } from '../../core/confirmations/device-call-store.ts';
import { GroupStore } from '../../core/confirmations/groups/group-store.ts';
import { listChallenges } from '../../core/confirmations/list-challenges.ts';
import { DeviceStore } from '../../core/devices/device-store.ts';
import type { DeviceCall } from '../../core/devices/protocol/device-call.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { readAuthorization, requestVerifierFor } from '../../core/http/device-authorization.ts';
import { json } from '../../core/http/responses.ts';
import { sha256 } from '../../core/kernel/identifiers.ts';
import { seconds } from '../../core/kernel/time.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { baseUrlsOf } from '../../core/lambda/wiring.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const devices = new DeviceStore(client, env.DEVICES_TABLE);
const confirmations = new ConfirmationStore(client, env.CONFIRMATIONS_TABLE);
const groups = new GroupStore(client, env.CONFIRMATIONS_TABLE);
const calls = new DeviceCallStore(client, devices, confirmations);
const verify = requestVerifierFor(baseUrlsOf(env), 'GET', '/omi/device/challenges');

/** The claim is checked together with the signature, before anything is shown. */
const fetchOf = ({ message: { claims, jws } }: DeviceCall): Fetch => ({
  issuedAt: Number(claims['iat']) * seconds,
  jwsHash: sha256(jws).slice(0, 22),
  call: randomUUID(),
});

export const handler = bodilessLambda(async (event) => {
  const now = Date.now();
  const call = readAuthorization(event);
  const load = async () => {
    const record = await calls.load(call.identity, undefined, now);
    return { ...record, device: await verify(call, record.device, now) };
  };
  const fetch = { fetch: fetchOf(call), now };
  return json(200, await listChallenges({ devices, confirmations, groups }, load, fetch));
});
