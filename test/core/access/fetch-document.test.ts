import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { DocumentUnavailable, fetchDocument } from '../../../core/access/fetch-document.ts';
import { describeFault } from '../../../core/kernel/observability.ts';

const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
}

const text = async (url: string) => new TextDecoder().decode(await fetchDocument(url));

describe('a document of the issuer', () => {
  test('is fetched byte for byte', async () => {
    const url = await serve((_, response) => response.end('{"kéys":[]}'));

    expect(await text(url)).toBe('{"kéys":[]}');
  });

  test('is requested as JSON, on its own connection', async () => {
    const asked: IncomingHttpHeaders[] = [];
    const url = await serve(({ headers }, response) => {
      asked.push(headers);
      response.end();
    });

    await fetchDocument(url);
    expect(asked).toEqual([expect.objectContaining({ accept: 'application/json', connection: 'close' })]);
  });

  test.each([
    [503, 'dependency'],
    [404, 'service'],
  ])('is unavailable with status %d, as a fault of the %s', async (status, origin) => {
    const url = await serve((_, response) => response.writeHead(status).end());

    const error = await fetchDocument(url).catch((thrown: unknown) => thrown);
    expect(describeFault(error)).toMatchObject({ name: 'DocumentUnavailable', origin });
  });

  test('may have at most 256 KB', async () => {
    const sized = async (size: number) => await serve((_, response) => response.end('x'.repeat(size)));

    expect(await text(await sized(256 * 1024))).toHaveLength(256 * 1024);
    await expect(text(await sized(256 * 1024 + 1))).rejects.toThrow(DocumentUnavailable);
  });

  test('is requested twice if the first attempt fails', async () => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      response.writeHead(500).end();
    });

    await expect(fetchDocument(url)).rejects.toThrow(DocumentUnavailable);
    expect(requests).toBe(2);
  });

  test('gives up what does not answer or does not end', async () => {
    const silent: RequestListener = () => undefined;
    const endless: RequestListener = (_, response) => {
      const trickle = setInterval(() => response.write(' '), 100);
      response.once('close', () => clearInterval(trickle));
    };
    const urls = await Promise.all([serve(silent), serve(endless)]);
    const results = await Promise.allSettled(urls.map(fetchDocument));

    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(DocumentUnavailable) });
    }
  });

  test('is unavailable if the connection breaks', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{');
      setImmediate(() => response.destroy());
    });

    await expect(fetchDocument(url)).rejects.toThrow(DocumentUnavailable);
  });

  test.each([
    '',
    'keys',
    '/keys',
    'http://192.0.2.1/',
    'http://127.evil.example/',
    'data:application/json,{}',
  ])('is not requested from %j', async (address) => {
    await expect(fetchDocument(address)).rejects.toThrow(/not an https URL/);
  });
});
