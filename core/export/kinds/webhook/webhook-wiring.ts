import { kmsClient } from '../../../aws/kms-client.ts';
import { SecretBox } from '../../../aws/secret-box-client.ts';
import { WebhookCaller } from './webhook-caller.ts';
import { OpenedSecrets } from '../../../outbound/opened-secrets.ts';

export type WebhookVariables = { SECRETS_KEY_ID: string; OUTBOUND_LOOPBACK?: 'allowed' | undefined };

export const webhookCaller = ({ SECRETS_KEY_ID, OUTBOUND_LOOPBACK }: WebhookVariables): WebhookCaller =>
  new WebhookCaller(
    new OpenedSecrets(new SecretBox(kmsClient(), SECRETS_KEY_ID)),
    OUTBOUND_LOOPBACK === 'allowed',
  );
