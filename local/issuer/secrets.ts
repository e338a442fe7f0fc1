import { generateKeyPair, type JsonWebKey, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { localTenants } from '../resources/tenants.ts';

/** Random for each stack, unless a data folder keeps them. */
export type Secrets = {
  /** By client id. */
  clientSecrets: Record<string, string>;
  /** The issuer's private key. */
  signingKey: JsonWebKey;
};

const secretsSchema = v.object({
  clientSecrets: v.record(v.string(), v.string()),
  signingKey: v.record(v.string(), v.string()),
});

/** Reads the secrets from the data folder, or creates and saves them. */
export async function loadSecrets(dataDirectory?: string): Promise<Secrets> {
  if (dataDirectory === undefined) return await createSecrets();
  const file = join(dataDirectory, 'secrets.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined) return v.parse(secretsSchema, JSON.parse(text));
  const secrets = await createSecrets();
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}

async function createSecrets(): Promise<Secrets> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 });
  const secretOf = (clientId: string) => [clientId, randomBytes(32).toString('base64url')] as const;
  return {
    clientSecrets: Object.fromEntries(localTenants.map(({ clientId }) => secretOf(clientId))),
    signingKey: privateKey.export({ format: 'jwk' }),
  };
}
