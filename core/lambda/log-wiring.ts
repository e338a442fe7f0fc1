import { kmsClient } from '../aws/kms-client.ts';
import type { NamedLogKey } from '../export/log/checkpoint.ts';
import { SigningKey } from '../keys/signing-key-client.ts';

type LogKeyVariables = { LOG_KEY_ID: string; LOG_KID: string };

/** The key that signs checkpoints. */
export const logKey = ({ LOG_KEY_ID, LOG_KID }: LogKeyVariables): NamedLogKey => ({
  kid: LOG_KID,
  key: new SigningKey(kmsClient(), LOG_KEY_ID),
});
