import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A certificate for localhost that only the tests trust, with its key: `openssl req -x509 -newkey ec … -days 36500`. */
export const localhostCertificateFile = 'test/support/tls/localhost.cert.pem';
const localhostKeyFile = 'test/support/tls/localhost.key.pem';

export type TlsProxy = {
  url: string;
  /** Before this call it answers 502. */
  forwardTo: (address: string) => void;
  close: () => Promise<void>;
};

/** A proxy that ends TLS, and passes on everything else as it is: the `Host` header, too. */
export async function startTlsProxy(): Promise<TlsProxy> {
  let target: URL | undefined;
  const tls = { cert: readFileSync(localhostCertificateFile), key: readFileSync(localhostKeyFile) };
  const server = createServer(tls, (incoming, response) => {
    const { method, url: path, headers } = incoming;
    if (!target) return void response.writeHead(502).end();
    const { hostname, port } = target;
    const outgoing = request({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    forwardTo: (address) => void (target = new URL(address)),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
