import { once } from 'node:events';
import { createServer } from 'node:http';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { ResourceServer } from './access-tokens.ts';
import { authenticate, userOfRequest } from './authenticate.ts';
import { metadataPaths, protectedResource } from './metadata.ts';
import { Sessions } from './sessions.ts';

/** Browsers name the page's origin. A page of somebody else must not reach a server on this machine (DNS rebinding). */
const sameOrigin =
  (resource: string): RequestHandler =>
  (request, response, next) => {
    const { origin } = request.headers;
    if (origin === undefined || origin === new URL(resource).origin) next();
    else response.status(403).json({ error: 'The origin is not allowed.' });
  };

export type HttpOptions = ResourceServer & {
  host: string;
  port: number;
  serverFor: (userId: string) => McpServer;
  log: (line: string) => void;
};

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

const rpcError = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message }, id: null });

const inSession =
  (sessions: Sessions): RequestHandler =>
  async (request, response) => {
    const userId = userOfRequest(response);
    const sessionId = request.get('mcp-session-id');
    const transport =
      sessionId === undefined ? await sessions.open(userId, request.body) : sessions.find(userId, sessionId);
    if (transport !== undefined) await transport.handleRequest(request, response, request.body);
    else if (sessionId === undefined)
      response.status(400).json(rpcError(-32_000, 'Expected a session, or its start.'));
    // The client then begins a new session, with the same tasks.
    else response.status(404).json(rpcError(-32_001, 'There is no such session.'));
  };

/** Says nothing of the request, and nothing of this program. */
const failure =
  (log: (line: string) => void): ErrorRequestHandler =>
  (error: { status?: number }, _request, response, next) => {
    const { status = 500 } = error;
    if (status >= 500) log('A request failed.');
    if (response.headersSent) next(error);
    else response.status(status).json(rpcError(-32_603, 'The request cannot be answered.'));
  };

function appFor({ host, log, issuer, resource }: HttpOptions, sessions: Sessions) {
  const resourceServer = { issuer, resource };
  const url = new URL(resource);
  const app = createMcpExpressApp({ host, allowedHosts: [...loopbackNames, url.hostname] });
  app.disable('x-powered-by');
  app.use(sameOrigin(resource));
  app.get(
    metadataPaths(resourceServer),
    (_request, response) => void response.json(protectedResource(resourceServer)),
  );
  app.all(url.pathname, authenticate(resourceServer, log), inSession(sessions));
  app.use(failure(log));
  return app;
}

/** Serves many users by streamable HTTP. @returns what ends it */
export async function serveHttp(options: HttpOptions): Promise<() => Promise<void>> {
  const sessions = new Sessions(options.serverFor);
  const server = createServer(appFor(options, sessions));
  await once(server.listen(options.port, options.host), 'listening');
  options.log(`Listening on ${options.host}, port ${options.port}`);
  return async () => {
    server.close();
    await sessions.close();
    server.closeAllConnections();
  };
}
