import { DeviceStore } from '../../core/devices/device-store.ts';
import { FurtherDevicesPolicyStore } from '../../core/tenants/further-devices-policy-store.ts';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { kmsClient } from '../../core/aws/kms-client.ts';
import { EnrolmentStore } from '../../core/enrolment/enrolment-store.ts';
import { JwsSigner } from '../../core/keys/jws-signer.ts';
import { SigningKey } from '../../core/keys/signing-key-client.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { signedLambda } from '../../core/http/api-lambda.ts';
import { relyingPartyOf } from '../../core/devices/passkeys/passkey.ts';
import { baseUrlsOf, allowedPushServices, outbox, pushChannels } from '../../core/lambda/wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const enrolments = new EnrolmentStore(client, env.ENROLMENTS_TABLE);
const devices = new DeviceStore(client, env.DEVICES_TABLE);
const policies = new FurtherDevicesPolicyStore(client, env.TENANTS_TABLE);
const deps = {
  enrolments,
  devices,
  policies,
  outbox: outbox(client, env),
  push: pushChannels(env),
  relyingParty: relyingPartyOf(env),
  receipts: new JwsSigner({ kid: env.RECEIPT_KID, key: new SigningKey(kmsClient(), env.RECEIPT_KEY_ID) }),
  issuer: env.BASE_URL,
};

export const handler = signedLambda(
  createHandler({ ...deps, baseUrls: baseUrlsOf(env), pushServices: allowedPushServices(env) }),
);
