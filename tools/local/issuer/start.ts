import { join } from 'node:path';
import { recoveryScope, scopes } from '../../../lambdas/routes.ts';
import { clientsOfDevelopers } from '../resources/tenants.ts';
import { openClientRegistry } from '../aws/stand-ins/cognito/client-registry.ts';
import { type Issuer, startIssuer } from './issuer.ts';
import { type OnPort, onTokenPort, type TokenPort } from './port.ts';
import { loadSecrets, type Secrets } from './secrets.ts';

export type TokensOptions = {
  /** `aud` of the tokens. */
  audience: string;
  tokenPort: TokenPort;
  /** The secret of the clients that developers use; without it, each has one that was made at random and kept. */
  clientSecret?: string | undefined;
  /** Keeps the secrets. */
  directory: string;
  /** Keeps clients that operators add, the port, and secrets of its own. */
  dataDirectory?: string | undefined;
  log: (line: string) => void;
};

/** The issuer, and the secrets of the tenants' clients. */
export type Tokens = OnPort<Issuer> & { clientSecrets: Record<string, string> };

/** The token issuer with the clients of the local tenants, and with those that operators add. */
export async function startTokens(options: TokensOptions): Promise<Tokens> {
  const { audience, dataDirectory, log } = options;
  const { clientSecrets, signingKey } = await secretsOf(options);
  const clients = Object.entries(clientSecrets).map(([clientId, clientSecret]) => ({
    clientId,
    clientSecret,
  }));
  const added = openClientRegistry(dataDirectory && join(dataDirectory, 'clients.json'));
  const scopesByName = [recoveryScope];
  const issuer = await onTokenPort(
    options,
    async (port) =>
      await startIssuer({ port, audience, clients, added, scopes, scopesByName, signingKey, log }),
  );
  return { ...issuer, clientSecrets };
}

/** A chosen secret counts for one start, and is not kept. */
async function secretsOf({ clientSecret, directory, dataDirectory }: TokensOptions): Promise<Secrets> {
  const kept = await loadSecrets(dataDirectory === undefined ? [directory] : [dataDirectory, directory]);
  if (clientSecret === undefined) return kept;
  const chosen = Object.fromEntries(clientsOfDevelopers.map((clientId) => [clientId, clientSecret]));
  return { ...kept, clientSecrets: { ...kept.clientSecrets, ...chosen } };
}
