import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createShop } from '../../../docs/examples/typescript/shop.ts';
import { StepUp } from '../../../docs/examples/typescript/step-up.ts';
import type { StackFile } from '../../../tools/local/client/local-stack.ts';

const byHandPage = join('docs', 'examples', 'by-hand');

export type Shop = { url: string; close: () => Promise<void> };

/** Who is signed in now. */
export type SignedIn = { customer: { userId: string } | undefined };

/** The shop of docs/websites-by-hand.md with its page. */
export async function shopByHand(
  { baseUrl, tokenUrl, tenants }: StackFile,
  signedIn: SignedIn,
): Promise<Shop> {
  const [{ tenantId, clientId, clientSecret }] = tenants;
  const files = new Map([
    ['/', { type: 'text/html', body: await readFile(join(byHandPage, 'shop.html')) }],
    ['/shop-page.js', { type: 'text/javascript', body: await readFile(join(byHandPage, 'shop-page.js')) }],
  ]);
  const shop = createShop({
    stepUp: new StepUp({ baseUrl, tokenUrl, clientId, clientSecret }),
    baseUrl,
    tenantId,
    sessionOf: () => signedIn.customer,
    pay: () => undefined,
  });
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '');
    if (file) response.setHeader('content-type', file.type).end(file.body);
    else shop.emit('request', request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, close };
}
