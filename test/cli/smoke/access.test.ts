/** What the steps about access find in an API that lets in whom it must not. */
import { expect, test } from '@jest/globals';
import { Omi } from '#website';
import { WebsiteClient } from '../../../client/website-client.ts';
import type { Scene } from '../../../cli/smoke/scene.ts';
import { refuseForgeries, refuseOtherScopes, refuseStrangers } from '../../../cli/smoke/steps/access.ts';
import type { Website } from '../../../cli/smoke/steps/website.ts';
import { serveLoopback } from '../../../tools/local/server/loopback-server.ts';

const token = [{ alg: 'RS256' }, { client_id: 'smoke' }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .concat('x'.repeat(60))
  .join('.');

type Answering = (authorization: string | undefined, url: string) => number;

/** The API as `answering` has it; the scene and the website that call it. */
async function withApi(answering: Answering, work: (scene: Scene, website: Website) => Promise<void>) {
  const server = await serveLoopback(
    ({ headers, url = '' }, response) =>
      response
        .writeHead(answering(headers.authorization, url), { 'content-type': 'application/json' })
        .end('{}'),
    { port: 0 },
  );
  const scene = { deployment: { baseUrl: server.url }, userId: 'smoke' } as unknown as Scene;
  const connection = { baseUrl: server.url, token: async () => await Promise.resolve(token) };
  const [omi, client] = [new Omi(connection), new WebsiteClient(connection)];
  try {
    await work(scene, { omi, client, tokenFor: async () => await Promise.resolve(token) });
  } finally {
    await server.close();
  }
}

/** As it should be, for a token that has the scope of the devices alone. */
const sound: Answering = (authorization, url) => {
  if (authorization !== `Bearer ${token}`) return 401;
  return url.includes('/devices') ? 200 : 403;
};

const everyStep = async (scene: Scene, website: Website): Promise<void> => {
  await refuseStrangers(scene);
  await refuseForgeries(scene, website);
  await refuseOtherScopes(scene, website);
};

test('an API that rejects what it must passes', async () => {
  await withApi(sound, async (scene, website) => {
    await expect(everyStep(scene, website)).resolves.toBeUndefined();
  });
});

const isNone = (authorization: string): boolean => authorization.endsWith('.');

test.each<[string, Answering, string]>([
  [
    'asks for no token',
    (sent, url) => (sent === undefined ? 200 : sound(sent, url)),
    'without a token got 200',
  ],
  [
    'fails for an invalid token',
    (sent, url) => (sent === 'Bearer smoke' ? 500 : sound(sent, url)),
    'got 500, not 401',
  ],
  [
    'does not check the signature',
    (sent, url) =>
      sent?.startsWith('Bearer ey') && !isNone(sent) ? sound(`Bearer ${token}`, url) : sound(sent, url),
    'a wrong signature got 200',
  ],
  [
    'accepts a token without a signature',
    (sent, url) => (sent && isNone(sent) ? 200 : sound(sent, url)),
    'without a signature got 200',
  ],
  [
    'does not check scopes',
    (sent, url) => (sound(sent, url) === 403 ? 200 : sound(sent, url)),
    'got 200, not 403',
  ],
  ['rejects everybody', () => 401, 'with the scope got 401, not 200'],
])('an API that %s fails', async (_, answering, reason) => {
  await withApi(answering, async (scene, website) => {
    await expect(everyStep(scene, website)).rejects.toThrow(reason);
  });
});
