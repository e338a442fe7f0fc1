import type { IncomingMessage, RequestListener } from 'node:http';
import { readRequest, send } from '../../endpoint/http.ts';
import { createCognito } from './backend.ts';
import type { ClientRegistry } from './client-registry.ts';

const target = 'AWSCognitoIdentityProviderService.';

const isForCognito = ({ headers }: IncomingMessage): boolean =>
  String(headers['x-amz-target'] ?? '').startsWith(target);

/**
 * Handles calls of Cognito's API, and passes all other requests to the token issuer. Only operators call Cognito, so it
 * has no faults and no record of calls.
 */
export function withCognito(
  clients: ClientRegistry,
  others: RequestListener,
  log: (line: string) => void,
): RequestListener {
  const backend = createCognito(clients);
  return (incoming, response) => {
    if (!isForCognito(incoming)) {
      others(incoming, response);
      return;
    }
    readRequest(incoming)
      .then(async (request) => send(response, await backend(request)))
      .catch((error: unknown) => {
        if (incoming.complete) log(`cognito: ${String(error)}`);
        response.destroy();
      });
  };
}
