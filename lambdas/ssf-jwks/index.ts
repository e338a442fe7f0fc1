import { kmsClient } from '../../core/aws/kms-client.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { RsaSigningKey } from '../../core/keys/rsa-signing-key-client.ts';
import { keyIdsIn } from '../../core/keys/signal-keys.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { signalKeySet } from '../../core/signals/signal-key-set.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const { SIGNAL_KEY_IDS } = parseEnvironment(environment, process.env);
const kms = kmsClient();

export const handler = bodilessLambda(
  createHandler({
    keys: signalKeySet(
      keyIdsIn(SIGNAL_KEY_IDS).map((keyId) => ({ keyId, key: new RsaSigningKey(kms, keyId) })),
    ),
  }),
);
