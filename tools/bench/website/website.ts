import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createRoutes, memoryStore, Omi, toNodeHandler } from '#website';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { bodyOf } from '../../../client/http.ts';
import { WebsiteClient } from '../../../client/website-client.ts';
import { omi } from '../stack/omi.ts';
import type { LocalStack } from '../stack/stack.ts';

export type Way = 'polls' | 'looks' | 'waits';

/** How soon the page knew the answer, and what it took. */
export type Asked = { knownAfterMs: number; looks: number; polls: number };

type User = { userId: string; device: SimulatedDevice };

/** As `<omi-confirmation>` does it. */
const shortestPauseMs = 200;
const longestWaitSeconds = 10;

/** A website with routes on a server of its own, and users who have a device each. */
export async function openWebsite(stack: LocalStack, way: Way, users: number) {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const limits = ['--per-ten-minutes', '1000', '--per-day', '1000'];
  const { tenantId = '' } = await omi(stack, 'tenant', 'create', '--name', `Page that ${way}`, ...limits);
  const callback = way === 'polls' ? [] : ['--callback-url', `${origin}/omi/callback`];
  const made = await omi(
    ...[stack, 'client', 'create', tenantId, '--name', way, '--scope', 'all', ...callback],
  );
  const { clientId = '', clientSecret = '', callbackSecret } = made;

  let polls = 0;
  const connection = { ...stack.file, clientId, clientSecret };
  const service = new Omi({
    ...connection,
    callbackSecret,
    fetch: async (input, init) => {
      if (init?.method === 'GET' && new Request(input).url.includes('/omi/push/confirmation')) polls += 1;
      return await fetch(input, init);
    },
  });
  const routes = createRoutes(service, {
    session: ({ headers }) => ({ id: 'session', userId: headers.get('user') ?? '' }),
    message: () => 'Change your address?',
    store: memoryStore(),
    ...(way === 'looks' && { longPollSeconds: 0 }),
  });
  const handle = toNodeHandler(routes);
  server.on('request', (request, response) => void handle(request, response));

  const client = new WebsiteClient(connection);
  const enrol = async (): Promise<User> => {
    const [userId, device] = [`bench-${randomBytes(8).toString('hex')}`, new SimulatedDevice()];
    await device.enrol(bodyOf(await client.startEnrolment(userId)).qr);
    return { userId, device };
  };
  const all = await Promise.all(Array.from({ length: users }, enrol));

  const call = async (user: User, method: string, path: string) => {
    const headers = { 'omi-page': '1', origin, user: user.userId };
    const answer = await fetch(`${origin}/omi/${path}`, { method, headers });
    return (await answer.json()) as { id: string; status: string; interval: number };
  };

  const ask = async (user: User): Promise<Asked> => {
    const before = polls;
    const { id, interval } = await call(user, 'POST', 'confirmations');
    let answeredAt = 0;
    const answer = async (): Promise<void> => {
      await wait(1_000 + Math.random() * 3_000);
      const [challenge] = bodyOf(await user.device.challenges()).challenges;
      if (!challenge) throw new Error('The device has no challenge');
      answeredAt = performance.now();
      bodyOf(await user.device.confirm(challenge));
    };
    const answered = answer();
    let looks = 0;
    for (let pause = interval; ;) {
      await wait(Math.max(shortestPauseMs, pause * 1_000));
      looks += 1;
      const look = await call(user, 'GET', `confirmations/${id}?wait=${longestWaitSeconds}`);
      const now = performance.now();
      if (look.status !== 'pending') {
        await answered;
        return { knownAfterMs: now - answeredAt, looks, polls: (polls - before) / users };
      }
      pause = look.interval;
    }
  };

  return {
    /** Each user is asked once. */
    wave: async (): Promise<Asked[]> => await Promise.all(all.map(ask)),
    close: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
}
