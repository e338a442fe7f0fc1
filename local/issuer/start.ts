import { join } from 'node:path';
import { recoveryScope, scopes } from '../../lambdas/routes.ts';
import { openClientRegistry } from '../aws/stand-ins/cognito/client-registry.ts';
import { type Issuer, startIssuer } from './issuer.ts';
import { onRememberedPort } from './port.ts';
import { loadSecrets } from './secrets.ts';

export type TokensOptions = {
  /** `aud` of the tokens. */
  audience: string;
  dataDirectory?: string | undefined;
  log: (line: string) => void;
};

/** The issuer, and the secrets of the tenants' clients. */
export type Tokens = Issuer & { clientSecrets: Record<string, string> };

/** The token issuer with the clients of the local tenants, and with those that operators add. */
export async function startTokens({ audience, dataDirectory, log }: TokensOptions): Promise<Tokens> {
  const { clientSecrets, signingKey } = await loadSecrets(dataDirectory);
  const clients = Object.entries(clientSecrets).map(([clientId, clientSecret]) => ({
    clientId,
    clientSecret,
  }));
  const added = openClientRegistry(dataDirectory && join(dataDirectory, 'clients.json'));
  const scopesByName = [recoveryScope];
  const issuer = await onRememberedPort(
    dataDirectory,
    async (port) =>
      await startIssuer({ port, audience, clients, added, scopes, scopesByName, signingKey, log }),
  );
  return { ...issuer, clientSecrets };
}
