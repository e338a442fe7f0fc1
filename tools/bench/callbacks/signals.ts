import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { SimulatedDevice } from '../../client/device/simulated-device.ts';
import { bodyOf } from '../../client/http.ts';
import { eventually } from '../../client/waiting.ts';
import { WebsiteClient } from '../../client/website-client.ts';
import { describeMachine, formatTable } from '../report/markdown.ts';
import { median, percentile } from '../report/statistics.ts';
import { omi } from '../stack/omi.ts';
import type { LocalStack } from '../stack/stack.ts';

/** A receiver of pushes, which takes each signal at once. @returns also when each came, by the user that it is about */
async function openReceiver() {
  /** The newest signal of each user. */
  const arrivals = new Map<string, { at: number; count: number }>();
  const server = createServer((request, response) => {
    const at = performance.now();
    void text(request).then((token) => {
      const subject = subjectOf(token);
      arrivals.set(subject, { at, count: (arrivals.get(subject)?.count ?? 0) + 1 });
      response.writeHead(202).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { arrivals, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
}

function subjectOf(token: string): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    sub_id: { sub?: string };
  };
  return claims.sub_id.sub ?? '';
}

/** Removes one device after the other. @returns milliseconds from each removal, as it is sent, until the receiver has the signal */
export async function measureSignals(stack: LocalStack, removals: number): Promise<number[]> {
  const { tenantId = '' } = await omi(stack, 'tenant', 'create', '--name', 'Signals');
  const scope = ['--scope', 'credential:omi:enrol:qr:post', 'ssf.manage'];
  const made = await omi(stack, 'client', 'create', tenantId, '--name', 'receiver', ...scope);
  const { clientId = '', clientSecret = '' } = made;
  const client = new WebsiteClient({ ...stack.file, clientId, clientSecret });
  const { arrivals, url, close } = await openReceiver();
  const json = { delivery: { method: 'urn:ietf:rfc:8935', endpoint_url: url } };
  bodyOf(await client.call({ method: 'POST', path: '/omi/ssf/stream', json }, v.unknown()));
  const arrived = async (userId: string, count: number): Promise<number> => {
    const find = async () => {
      const found = arrivals.get(userId);
      return await Promise.resolve(found?.count === count ? found.at : undefined);
    };
    return await eventually('A signal', find, { everyMs: 5, atMostMs: 60_000 });
  };
  const times: number[] = [];
  try {
    for (let count = 0; count < removals; count += 1) {
      const [userId, device] = [`bench-${randomBytes(8).toString('hex')}`, new SimulatedDevice()];
      await device.enrol(bodyOf(await client.startEnrolment(userId)).qr);
      await arrived(userId, 1);
      const begun = performance.now();
      await device.remove();
      times.push((await arrived(userId, 2)) - begun);
    }
  } finally {
    close();
  }
  return times;
}

export const renderSignals = (times: readonly number[]): string =>
  [
    `${describeMachine()}. One device after the other.`,
    formatTable([
      {
        'from the removal of a device to the receiver, ms': 'push',
        signals: String(times.length),
        p50: median(times).toFixed(0),
        p95: percentile(times, 0.95).toFixed(0),
      },
    ]),
  ].join('\n\n');
