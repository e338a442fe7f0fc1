import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedCall, CallLog } from './call-log.ts';
import { accessKeyOf, isPoll } from './caller.ts';
import type { Faults, Hit } from './faults.ts';
import { type AwsResponse, type AwsRequest, type Backend, readRequest, send } from './http.ts';
import { type LoopbackOptions, type LoopbackServer, serveLoopback } from '../../server/loopback-server.ts';
import type { Sessions } from '../stand-ins/sts/sessions.ts';
import { AwsServiceError } from '../protocols/errors.ts';
import type { Operation, Service } from '../protocols/service.ts';

export type EndpointOptions = {
  service: Service;
  backend: Backend;
  faults: Faults;
  calls: CallLog;
  sessions: Pick<Sessions, 'isExpired'>;
  log: (line: string) => void;
  server?: LoopbackOptions;
};

/** One AWS service's endpoint: records each call, lets the faults strike, and passes it on. */
export function startEndpoint(options: EndpointOptions): Promise<LoopbackServer> {
  return serveLoopback((incoming, response) => {
    readRequest(incoming)
      .then((request) => answerCall(options, request))
      // A call that `timeout-after` struck keeps its connection until either side goes.
      .then((answer) => answer && send(response, answer))
      .catch((error: unknown) => {
        // A client that leaves before it has asked is no news.
        if (incoming.complete) options.log(`${options.service.name}: ${String(error)}`);
        response.destroy();
      });
  }, options.server);
}

async function answerCall(options: EndpointOptions, request: AwsRequest): Promise<AwsResponse | undefined> {
  const { service, calls, faults } = options;
  const operation = service.describe(request);
  const caller = accessKeyOf(request);
  calls.push(callOf(service, operation, caller));
  if (options.sessions.isExpired(caller)) return service.render(service.errors(operation)['expired-token']);
  const hit = faults.match({
    service: service.name,
    ...operation,
    isPoll: isPoll(caller, operation.operation),
  });
  return hit ? await struck(options, { request, operation, hit }) : await work(options, request);
}

function callOf(service: Service, { operation, resources, parts }: Operation, caller: string): RecordedCall {
  const call = { at: Date.now(), caller, service: service.name, operation, resources };
  return parts ? { ...call, parts } : call;
}

type Struck = { request: AwsRequest; operation: Operation; hit: Hit };

async function struck(
  options: EndpointOptions,
  { request, operation, hit }: Struck,
): Promise<AwsResponse | undefined> {
  const { service } = options;
  if (hit.delayMs > 0) await sleep(hit.delayMs);
  switch (hit.kind) {
    case 'slow':
      return await work(options, request);
    case 'timeout-after':
      await work(options, request);
      return undefined;
    case 'partial':
      return await service.failEntries?.({ request, operation, failing: hit.failing }, (others) =>
        work(options, others),
      );
    case 'throttle':
    case 'access-denied':
    case 'not-found':
    case 'unavailable':
    case 'disabled':
    case 'conflict': {
      const errors = service.errors(operation, hit.resource);
      return service.render(errors[hit.kind] ?? errors.unavailable);
    }
  }
}

async function work({ service, backend }: EndpointOptions, request: AwsRequest): Promise<AwsResponse> {
  try {
    return await backend(request);
  } catch (error) {
    if (error instanceof AwsServiceError) return service.render(error.error);
    throw error;
  }
}
