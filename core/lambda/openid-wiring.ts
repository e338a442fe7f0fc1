import { RegisteredClientStore } from '../access/registered-client-store.ts';
import type { DynamoDBDocumentClient } from '../aws/dynamodb-client.ts';
import { kmsClient } from '../aws/kms-client.ts';
import { SecretBox } from '../aws/secret-box-client.ts';
import { JwsSigner } from '../keys/jws-signer.ts';
import { SigningKey } from '../keys/signing-key-client.ts';
import { UsedAssertionStore } from '../openid/used-assertion-store.ts';
import { baseUrlsOf } from './wiring.ts';

type AuthenticationVariables = Parameters<typeof baseUrlsOf>[0] & {
  TENANTS_TABLE: string;
  CONFIRMATIONS_TABLE: string;
};

/** For Lambdas that authenticate OAuth clients. The base URLs are the issuers that they may name. */
export const authenticationDeps = (client: DynamoDBDocumentClient, env: AuthenticationVariables) => ({
  clients: new RegisteredClientStore(client, env.TENANTS_TABLE),
  usedAssertions: new UsedAssertionStore(client, env.CONFIRMATIONS_TABLE),
  issuers: baseUrlsOf(env),
});

type SigningVariables = { SIGNING_KEY_ID: string; SIGNING_KID: string };

export const tokenSigner = ({ SIGNING_KEY_ID, SIGNING_KID }: SigningVariables): JwsSigner =>
  new JwsSigner({ kid: SIGNING_KID, key: new SigningKey(kmsClient(), SIGNING_KEY_ID) });

export const secretBox = ({ SECRETS_KEY_ID }: { SECRETS_KEY_ID: string }): SecretBox =>
  new SecretBox(kmsClient(), SECRETS_KEY_ID);
