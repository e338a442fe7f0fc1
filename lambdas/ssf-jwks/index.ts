import { kmsClient } from '../../core/aws/kms-client.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { RsaSigningKey } from '../../core/keys/rsa-signing-key-client.ts';
import { keyIdsIn } from '../../core/keys/signal-keys.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { signalKeySet } from '../../core/signals/signal-key-set.ts';
import { cacheable, json } from '../../core/http/responses.ts';
import { environment } from './definition.ts';

const { SIGNAL_KEY_IDS } = parseEnvironment(environment, process.env);
const kms = kmsClient();
const keys = signalKeySet(
  keyIdsIn(SIGNAL_KEY_IDS).map((keyId) => ({ keyId, key: new RsaSigningKey(kms, keyId) })),
);

/** The keys that verify signals, as a JWK set (RFC 7517, section 5). */
export const handler = bodilessLambda(async () => json(200, { keys: await keys() }, cacheable));
