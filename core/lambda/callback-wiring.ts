import * as v from 'valibot';
import type { DynamoDBDocumentClient } from '../aws/dynamodb-client.ts';
import { kmsClient } from '../aws/kms-client.ts';
import { SecretBox } from '../aws/secret-box-client.ts';
import { ReceiverCaller } from '../callbacks/call-receiver.ts';
import { CallbackStore } from '../callbacks/callback-store.ts';
import { CallComposer } from '../callbacks/compose-call.ts';
import { OpenedSecrets } from '../outbound/opened-secrets.ts';
import { WaitingStore } from '../callbacks/waiting-store.ts';
import { ConfirmationStore } from '../confirmations/confirmation-store.ts';
import { variables } from './environment.ts';

/** The environment of the Lambdas that send call-backs. */
export const callbackVariables = v.object({
  ...v.pick(variables, [
    'CONFIRMATIONS_TABLE',
    'TENANTS_TABLE',
    'ATTEMPTS_TABLE',
    'RETRIES_QUEUE_URL',
    'SECRETS_KEY_ID',
    'OUTBOUND_LOOPBACK',
  ]).entries,
});

export type CallbackEnvironment = v.InferOutput<typeof callbackVariables>;

export const callbackDeps = (client: DynamoDBDocumentClient, env: CallbackEnvironment) => ({
  confirmations: new ConfirmationStore(client, env.CONFIRMATIONS_TABLE),
  receivers: new CallbackStore(client, env.TENANTS_TABLE),
  waiting: new WaitingStore(client, env.ATTEMPTS_TABLE),
  composer: new CallComposer(new OpenedSecrets(new SecretBox(kmsClient(), env.SECRETS_KEY_ID))),
  caller: new ReceiverCaller(env.OUTBOUND_LOOPBACK === 'allowed'),
});
