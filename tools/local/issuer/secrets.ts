import { generateKeyPair, type JsonWebKey, randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { StartError } from '../command/start-error.ts';
import { writePrivateFile } from '../files/private-file.ts';
import { localClients } from '../resources/tenants.ts';

/** Made at random once, so that the settings of websites and their tokens stay valid when a stack restarts. */
export type Secrets = {
  /** By client id. */
  clientSecrets: Record<string, string>;
  /** The issuer's private key. */
  signingKey: JsonWebKey;
};

const secretsSchema = v.object({
  clientSecrets: v.record(v.string(), v.string()),
  signingKey: v.pipe(
    v.record(v.string(), v.string()),
    v.check(({ n, d }) => n !== undefined && d !== undefined),
  ),
});

/**
 * The secrets of the first folder that has some, or new ones. Each folder without secrets gets a copy: a website's settings
 * stay valid when a data folder is used for the first time.
 *
 * @throws {StartError} if a file with secrets is malformed
 */
export async function loadSecrets(folders: readonly string[]): Promise<Secrets> {
  const saved = await Promise.all(folders.map(readSecrets));
  const found = saved.find((secrets) => secrets !== undefined);
  const secrets = withEveryClient(found ?? { clientSecrets: {}, signingKey: await createSigningKey() });
  for (const [index, folder] of folders.entries())
    if (saved[index] === undefined || isIncomplete(saved[index])) await writeSecrets(folder, secrets);
  return secrets;
}

const fileIn = (folder: string): string => join(folder, 'secrets.json');

async function readSecrets(folder: string): Promise<Secrets | undefined> {
  const file = fileIn(folder);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), secretsSchema), text);
  if (success) return output;
  throw new StartError(`${file} is malformed. Delete it; the next start makes new client secrets.`);
}

async function writeSecrets(folder: string, secrets: Secrets): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writePrivateFile(fileIn(folder), JSON.stringify(secrets));
}

const clientIds = localClients.map(({ clientId }) => clientId);

const isIncomplete = ({ clientSecrets }: Secrets): boolean =>
  clientIds.some((clientId) => clientSecrets[clientId] === undefined);

/** A folder of an earlier version may lack a client. */
const withEveryClient = ({ clientSecrets, signingKey }: Secrets): Secrets => ({
  signingKey,
  clientSecrets: Object.fromEntries(
    clientIds.map((clientId) => [clientId, clientSecrets[clientId] ?? randomBytes(32).toString('base64url')]),
  ),
});

export async function createSigningKey(): Promise<JsonWebKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 });
  return privateKey.export({ format: 'jwk' });
}
