import { type Backend } from '../../../../tools/local/aws/endpoint/http.ts';
import { createCallLog } from '../../../../tools/local/aws/endpoint/call-log.ts';
import { createFaults } from '../../../../tools/local/aws/endpoint/faults.ts';
import { startEndpoint } from '../../../../tools/local/aws/endpoint/endpoint.ts';
import type { LoopbackOptions } from '../../../../tools/local/server/loopback-server.ts';
import { createSessions } from '../../../../tools/local/aws/stand-ins/sts/sessions.ts';
import type { Service } from '../../../../tools/local/aws/protocols/service.ts';

/** An SDK client's settings; without retries, so that every fault shows. */
export function clientOf(endpoint: string, accessKeyId = 'TEST') {
  const credentials = { accessKeyId, secretAccessKey: 'secret' };
  return { endpoint, region: 'eu-central-1', credentials, maxAttempts: 1 };
}

/** The endpoint of one service, without the rest of the cloud. */
export async function startAlone(service: Service, backend: Backend, server: LoopbackOptions = {}) {
  const parts = { faults: createFaults(), calls: createCallLog(), sessions: createSessions() };
  const endpoint = await startEndpoint({ service, backend, ...parts, log: () => undefined, server });
  return { ...parts, url: endpoint.url, close: endpoint.close };
}

export type Alone = Awaited<ReturnType<typeof startAlone>>;
