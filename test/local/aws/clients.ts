import { type Backend } from '../../../local/aws/http.ts';
import { createCalls } from '../../../local/aws/calls.ts';
import { createFaults } from '../../../local/aws/faults.ts';
import { startFront } from '../../../local/aws/front.ts';
import type { LoopbackOptions } from '../../../local/aws/loopback.ts';
import { createSessions } from '../../../local/aws/sts/sessions.ts';
import type { Service } from '../../../local/aws/wire/service.ts';

/** An SDK client's settings; without retries, so that every fault shows. */
export function clientOf(endpoint: string, accessKeyId = 'TEST') {
  const credentials = { accessKeyId, secretAccessKey: 'secret' };
  return { endpoint, region: 'eu-central-1', credentials, maxAttempts: 1 };
}

/** One service's front alone, with what stands behind it. */
export async function startAlone(service: Service, backend: Backend, server: LoopbackOptions = {}) {
  const parts = { faults: createFaults(), calls: createCalls(), sessions: createSessions() };
  const front = await startFront({ service, backend, ...parts, log: () => undefined, server });
  return { ...parts, url: front.url, close: front.close };
}

export type Alone = Awaited<ReturnType<typeof startAlone>>;
