import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../cli/deployment/deployment.ts';
import { openidProbe } from '../../../cli/doctor/probes/openid-probe.ts';

type Answers = { discovery?: (baseUrl: string) => unknown; keys?: unknown; status?: number };

const wellFormed = (baseUrl: string) => ({ issuer: baseUrl, jwks_uri: `${baseUrl}/oauth/jwks` });
const keys = [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', alg: 'ES256', kid: 'one' }];

/** What doctor finds of an issuer that answers so. */
async function findings({ discovery = wellFormed, keys: published = keys, status = 200 }: Answers) {
  let baseUrl = '';
  const server = createServer(({ url }, response) => {
    const body = url === '/oauth/jwks' ? { keys: published } : discovery(baseUrl);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const found = await openidProbe.check({ baseUrl } as Deployment);
    return found.map(({ ok, detail }) => [ok, detail.replaceAll(baseUrl, '')]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('doctor, for the issuer,', () => {
  test('passes if it is healthy', async () => {
    expect(await findings({})).toEqual([
      [true, 'names this issuer'],
      [true, 'has the keys that verify tokens'],
    ]);
  });

  test('finds another issuer, as after a change of the domain', async () => {
    const [found] = await findings({ discovery: () => wellFormed('https://old.example') });
    expect(found).toEqual([false, 'names the issuer https://old.example, not : clients reject its tokens']);
  });

  test('finds keys at another address', async () => {
    const [found] = await findings({ discovery: (url) => ({ issuer: url, jwks_uri: 'https://x/jwks' }) });
    expect(found).toEqual([false, 'names the keys at https://x/jwks, not /oauth/jwks']);
  });

  test.each([{ keys: [] }, { keys: [{ kty: 'RSA', alg: 'RS256' }] }, { keys: 7 }])(
    'finds no key that verifies tokens: %j',
    async (answers) => {
      const [, found] = await findings(answers);
      expect(found).toEqual([false, 'has no key that verifies tokens']);
    },
  );

  test('finds that the documents are missing or something else', async () => {
    expect(await findings({ status: 404 })).toEqual([
      [false, 'answers 404, not 200'],
      [false, 'answers 404, not 200'],
    ]);
    expect((await findings({ discovery: () => [] }))[0]).toEqual([false, 'is not a discovery document']);
  });
});
