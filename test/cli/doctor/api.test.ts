import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { apiProbe } from '../../../cli/doctor/probes/api-probe.ts';
import type { Deployment } from '../../../cli/deployment/deployment.ts';

/** What doctor finds of an API that answers so. */
async function findings(statusOf: (request: IncomingMessage) => number) {
  const server = createServer((request, response) => response.writeHead(statusOf(request)).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await apiProbe.check({ baseUrl: `http://127.0.0.1:${port}` } as Deployment);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('doctor, for the API,', () => {
  test('passes if calls without a token or with an invalid token are rejected', async () => {
    const found = await findings(() => 401);
    expect(found.map(({ ok, detail }) => [ok, detail])).toEqual([
      [true, 'answers, and asks for a token'],
      [true, 'answers, and rejects an invalid token'],
    ]);
  });

  test('finds that it is open', async () => {
    const [open] = await findings(() => 200);
    expect(open).toMatchObject({ ok: false, detail: 'answers 200 to a call without a token, not 401' });
  });

  test.each([500, 403, 200, 503])(
    'finds that an invalid token is answered with %d, and says where to look and what to change',
    async (status) => {
      const [closed, failing] = await findings(({ headers }) => (headers.authorization ? status : 401));
      expect(closed).toMatchObject({ ok: true });
      expect(failing).toMatchObject({ ok: false, detail: `answers ${status} to an invalid token, not 401` });
      for (const part of [
        'log of the Lambda authorize',
        '"unauthorizedBy": "lambda"',
        'settings of the stage',
      ])
        expect(failing?.fix).toContain(part);
    },
  );

  test('finds that nothing answers', async () => {
    const found = await apiProbe.check({ baseUrl: 'http://127.0.0.1:1' } as Deployment);
    for (const one of found)
      expect(one).toMatchObject({ ok: false, detail: expect.stringContaining('does not answer') as unknown });
  });
});
