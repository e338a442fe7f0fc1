import { kmsClient } from '../../../aws/kms-client.ts';
import { SecretBox } from '../../../aws/secret-box-client.ts';
import { WebhookCaller } from './webhook-caller.ts';
import { OpenedSecrets } from '../../../outbound/opened-secrets.ts';

export type WebhookVariables = { SECRETS_KEY_ID: string; OUTBOUND_LOOPBACK?: 'allowed' | undefined };

export const openedSecrets = ({ SECRETS_KEY_ID }: Pick<WebhookVariables, 'SECRETS_KEY_ID'>): OpenedSecrets =>
  new OpenedSecrets(new SecretBox(kmsClient(), SECRETS_KEY_ID));

export const webhookCaller = (env: WebhookVariables, secrets = openedSecrets(env)): WebhookCaller =>
  new WebhookCaller(secrets, env.OUTBOUND_LOOPBACK === 'allowed');
