import * as v from 'valibot';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { kmsClient } from '../../core/aws/kms-client.ts';
import { DeviceStore } from '../../core/devices/device-store.ts';
import { relyingPartyOf } from '../../core/devices/passkeys/passkey.ts';
import { enrolmentClaims } from '../../core/devices/protocol/claims.ts';
import { enrolmentKeyOf } from '../../core/devices/protocol/enrolment-key.ts';
import { readMessage, verify } from '../../core/devices/protocol/jws.ts';
import { enrolDevice } from '../../core/enrolment/enrol-device.ts';
import { EnrolmentStore } from '../../core/enrolment/enrolment-store.ts';
import { signedLambda } from '../../core/http/api-lambda.ts';
import { parseRequest } from '../../core/http/parse-request.ts';
import { requestContextOf } from '../../core/http/request-context.ts';
import { json } from '../../core/http/responses.ts';
import { JwsSigner } from '../../core/keys/jws-signer.ts';
import { SigningKey } from '../../core/keys/signing-key-client.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { baseUrlsOf, allowedPushServices, outbox, pushChannels } from '../../core/lambda/wiring.ts';
import { FurtherDevicesPolicyStore } from '../../core/tenants/further-devices-policy-store.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const baseUrls = baseUrlsOf(env);
const deps = {
  enrolments: new EnrolmentStore(client, env.ENROLMENTS_TABLE),
  devices: new DeviceStore(client, env.DEVICES_TABLE),
  policies: new FurtherDevicesPolicyStore(client, env.TENANTS_TABLE),
  outbox: outbox(client, env),
  push: pushChannels(env),
  relyingParty: relyingPartyOf(env),
  receipts: new JwsSigner({ kid: env.RECEIPT_KID, key: new SigningKey(kmsClient(), env.RECEIPT_KEY_ID) }),
  issuer: env.BASE_URL,
};

const request = v.object({ body: enrolmentClaims(allowedPushServices(env)) });

export const handler = signedLambda(async (event) => {
  const context = requestContextOf(event, Date.now());
  const message = readMessage(event.body ?? '', 'omi-enrolment+jws');
  const key = enrolmentKeyOf(message);
  await verify(message, { baseUrls, key, now: context.now });
  const { code, passkey, ...description } = parseRequest(request, { body: message.claims }).body;
  return json(201, await enrolDevice(deps, { code, key, description, passkey, context }));
});
