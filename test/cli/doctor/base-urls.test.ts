import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { toStoredJws } from '../../../core/devices/protocol/stored-jws.ts';
import type { Deployment } from '../../../cli/deployment/deployment.ts';
import { baseUrlsProbe } from '../../../cli/doctor/probes/base-urls-probe.ts';
import { signCompact } from '../../../client/device/jws.ts';
import { newKeyPair } from '../../../client/device/simulated-device.ts';

const baseUrl = 'https://api.example.com';
const executeApi = 'https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com';
const { privateKey: key } = newKeyPair();

const enrolledUnder = (iss: string) => ({
  device: { receipt: toStoredJws(signCompact({ header: { typ: 'omi-receipt+jwt' }, claims: { iss }, key })) },
});

/** What doctor finds if devices enrolled under these URLs. */
async function findings(enrolled: string[], about: Partial<Deployment> = {}) {
  const send = async () => await Promise.resolve({ Items: enrolled.map(enrolledUnder) });
  const deployment = {
    ...{ stage: 'production', baseUrl, formerBaseUrls: [], tables: { devices: 'devices' } },
    clients: { tables: { send } },
    ...about,
  };
  return await baseUrlsProbe.check(deployment as unknown as Deployment);
}

async function answering(status: number, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((_, response) => response.writeHead(status).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('doctor, for base URLs,', () => {
  test('passes if all devices enrolled under the present URL', async () => {
    expect(await findings([baseUrl, baseUrl])).toEqual([
      {
        ...{ subject: baseUrl, ok: true },
        detail: 'all 2 devices that were looked at enrolled under an accepted URL',
      },
    ]);
  });

  test('warns of devices that enrolled before the domain was set, and names the setting', async () => {
    const [warning] = await findings([baseUrl, executeApi, executeApi]);
    expect(warning).toMatchObject({
      ...{ ok: true, warning: true },
      detail: `2 of 3 devices that were looked at enrolled under ${executeApi}: they cannot confirm`,
    });
    expect(warning?.fix).toContain(`Add "${executeApi}" to api.formerBaseUrls`);
  });

  test('passes if the former URL is listed and answers', async () => {
    await answering(401, async (url) => {
      expect(await findings([baseUrl, url], { formerBaseUrls: [url] })).toMatchObject([
        { subject: url, ok: true, detail: 'still answers' },
        { ok: true, detail: 'all 2 devices that were looked at enrolled under an accepted URL' },
      ]);
    });
  });

  test('fails if a listed URL does not lead to the API any more', async () => {
    await answering(403, async (url) => {
      const [found] = await findings([], { formerBaseUrls: [url] });
      expect(found).toMatchObject({
        ok: false,
        detail: 'answers 403 to a call without a token, not 401',
        fix: expect.stringContaining('Let this host lead to the API again') as unknown,
      });
    });
    const [found] = await findings([], { formerBaseUrls: ['http://127.0.0.1:1'] });
    expect(found).toMatchObject({ ok: false, detail: expect.stringContaining('does not answer') as unknown });
  });

  test('warns in production of an address that API Gateway has chosen', async () => {
    const [warning] = await findings([], { baseUrl: executeApi });
    expect(warning).toMatchObject({ subject: executeApi, ok: true, warning: true });
    expect(warning?.fix).toContain('Set api.domain before the first enrolment');
    expect(await findings([], { baseUrl: executeApi, stage: 'dev' })).toMatchObject([
      { detail: 'all 0 devices that were looked at enrolled under an accepted URL' },
    ]);
  });
});
