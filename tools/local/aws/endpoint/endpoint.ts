import { setTimeout as sleep } from 'node:timers/promises';
import { type LoopbackOptions, type LoopbackServer, serveLoopback } from '../../server/loopback-server.ts';
import { AwsServiceError } from '../protocols/errors.ts';
import type { Operation, Service } from '../protocols/service.ts';
import type { Sessions } from '../stand-ins/sts/sessions.ts';
import { traceRootOf } from '../../requests/exchange.ts';
import type { CallLog, RecordedCall } from './call-log.ts';
import { accessKeyOf, isPoll } from './caller.ts';
import type { Faults, Hit } from './faults.ts';
import { type AwsRequest, type AwsResponse, type Backend, readRequest, send } from './http.ts';

export type EndpointOptions = {
  service: Service;
  backend: Backend;
  faults: Faults;
  calls: CallLog;
  sessions: Pick<Sessions, 'isExpired'>;
  log: (line: string) => void;
  server?: LoopbackOptions;
};

/** The endpoint of one AWS service: records each call, applies the faults, and forwards the call to the backend. */
export function startEndpoint(options: EndpointOptions): Promise<LoopbackServer> {
  return serveLoopback((incoming, response) => {
    readRequest(incoming)
      .then((request) => respond(options, request))
      // After the fault `timeout-after` there is no response, and the connection stays open.
      .then((awsResponse) => awsResponse && send(response, awsResponse))
      .catch((error: unknown) => {
        // An incomplete request means that the client closed the connection.
        if (incoming.complete) options.log(`${options.service.name}: ${String(error)}`);
        response.destroy();
      });
  }, options.server);
}

async function respond(options: EndpointOptions, request: AwsRequest): Promise<AwsResponse | undefined> {
  const { service, calls, faults } = options;
  const operation = service.describe(request);
  const caller = accessKeyOf(request);
  calls.push(recordedCall(service, operation, request));
  if (options.sessions.isExpired(caller)) return service.render(service.errors(operation)['expired-token']);
  const hit = faults.match({
    service: service.name,
    ...operation,
    resources: [...operation.resources, ...(operation.indexKeys ?? [])],
    isPoll: isPoll(caller, operation.operation),
  });
  return hit ? await applyFault(options, { request, operation, hit }) : await forward(options, request);
}

function recordedCall(
  service: Service,
  { operation, resources, parts }: Operation,
  request: AwsRequest,
): RecordedCall {
  const trace = traceRootOf(request.headers['x-amzn-trace-id']?.toString());
  const [, attempt = 1] = /^attempt=(\d+)/.exec(String(request.headers['amz-sdk-request'])) ?? [];
  return {
    ...{ at: Date.now(), caller: accessKeyOf(request), attempt: Number(attempt) },
    ...{ service: service.name, operation, resources },
    ...(trace !== '' && { trace }),
    ...(parts && { parts }),
  };
}

type FaultyCall = { request: AwsRequest; operation: Operation; hit: Hit };

async function applyFault(
  options: EndpointOptions,
  { request, operation, hit }: FaultyCall,
): Promise<AwsResponse | undefined> {
  const { service } = options;
  if (hit.delayMs > 0) await sleep(hit.delayMs);
  switch (hit.kind) {
    case 'slow':
      return await forward(options, request);
    case 'timeout-after':
      await forward(options, request);
      return undefined;
    case 'partial':
      return await service.failEntries?.({ request, operation, failing: hit.failing }, (others) =>
        forward(options, others),
      );
    case 'throttle':
    case 'access-denied':
    case 'not-found':
    case 'unavailable':
    case 'disabled':
    case 'conflict':
    case 'gone': {
      const errors = service.errors(operation, hit.resource);
      return service.render(errors[hit.kind] ?? errors.unavailable);
    }
  }
}

async function forward({ service, backend }: EndpointOptions, request: AwsRequest): Promise<AwsResponse> {
  try {
    return await backend(request);
  } catch (error) {
    if (error instanceof AwsServiceError) return service.render(error.error);
    throw error;
  }
}
