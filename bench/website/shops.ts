/** The same payment three times: by hand, with the packages, and with one call on the server. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { createRoutes, memoryStore, type Omi, toNodeHandler, toRequest } from '#website';
import { createShop } from '../../docs/examples/typescript/shop.ts';
import { StepUp } from '../../docs/examples/typescript/step-up.ts';
import type { StackFile } from '../../local/client/local-stack.ts';
import type { Customer } from './customers.ts';
import { savedFiles } from './lines.ts';

const byHandPage = join(import.meta.dirname, '..', '..', 'docs', 'examples', 'by-hand');

export type Shop = { url: string; close: () => Promise<void> };

/** Who is signed in now. */
export type SignedIn = { customer: Customer | undefined };

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
  return await listen(server);
}

/** The shop of docs/step-up-in-ten-minutes.md, with its page. */
export async function shopWithPackages(omi: Omi, signedIn: SignedIn, elements: Uint8Array): Promise<Shop> {
  const id = randomUUID();
  const session = () => signedIn.customer && { id, userId: signedIn.customer.userId };
  const message = async (request: Request): Promise<string> => {
    const form = new URLSearchParams(await request.text());
    return `Pay ${Number(form.get('amount')).toFixed(2)} € to ${form.get('to') ?? ''}?`;
  };
  const routes = createRoutes(omi, { session, message, store: memoryStore() });
  const page = savedFiles('step-up-in-ten-minutes.md').get('public/index.html') ?? '';
  const app = express();
  app.get('/', (_, response) => void response.type('html').send(page));
  app.get('/elements/*file', (_, response) => void response.type('js').send(elements));
  app.use('/omi', toNodeHandler(routes));
  app.post('/pay', async (request, response) => {
    const { message: confirmed } = await routes.consume(toRequest(request), session() ?? { id, userId: '' });
    response.send(`<title>Paid</title>${confirmed}`);
  });
  return await listen(createServer(app));
}

async function listen(server: Server): Promise<Shop> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, close };
}
