import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type PoolTokens = { url: string; close: () => Promise<void> };

/** As a user pool of Cognito names the scopes of the service: with the resource server's name before them. */
const prefix = /\bomi\//g;

/** The token endpoint of a user pool. The tokens are the local issuer's, which names scopes without the prefix. */
export async function servePoolTokens(tokenUrl: string): Promise<PoolTokens> {
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const form = new URLSearchParams(body);
      form.set('scope', (form.get('scope') ?? '').replaceAll(prefix, ''));
      const { authorization = '' } = request.headers;
      const issued = await fetch(tokenUrl, { method: 'POST', body: form, headers: { authorization } });
      response.writeHead(issued.status, { 'content-type': 'application/json' }).end(await issued.text());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/oauth2/token`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
