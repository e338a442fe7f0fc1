import type { DynamoDBDocumentClient } from '../aws/dynamodb-client.ts';
import { kmsClient } from '../aws/kms-client.ts';
import { SecretBox } from '../aws/secret-box-client.ts';
import { ReceiverCaller } from '../outbound/call-receiver.ts';
import { CallbackStore } from '../callbacks/callback-store.ts';
import { CallComposer } from '../callbacks/compose-call.ts';
import { OpenedSecrets } from '../outbound/opened-secrets.ts';
import { WaitingStore } from '../callbacks/waiting-store.ts';
import { ConfirmationStore } from '../confirmations/confirmation-store.ts';
import { GroupStore } from '../confirmations/groups/group-store.ts';
import type { CallbackEnvironment } from './callback-environment.ts';

export const callbackDeps = (client: DynamoDBDocumentClient, env: CallbackEnvironment) => ({
  confirmations: new ConfirmationStore(client, env.CONFIRMATIONS_TABLE),
  groups: new GroupStore(client, env.CONFIRMATIONS_TABLE),
  receivers: new CallbackStore(client, env.TENANTS_TABLE),
  waiting: new WaitingStore(client, env.ATTEMPTS_TABLE),
  composer: new CallComposer(new OpenedSecrets(new SecretBox(kmsClient(), env.SECRETS_KEY_ID))),
  caller: new ReceiverCaller(env.OUTBOUND_LOOPBACK === 'allowed'),
});
