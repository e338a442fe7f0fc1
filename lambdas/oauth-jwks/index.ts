import { kmsClient } from '../../core/aws/kms-client.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { PublicKey } from '../../core/keys/signing-key-client.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const { PUBLISHED_KEY_IDS } = parseEnvironment(environment, process.env);
const kms = kmsClient();

export const handler = bodilessLambda(
  createHandler({ keys: PUBLISHED_KEY_IDS.split(',').map((keyId) => new PublicKey(kms, keyId, 'token')) }),
);
