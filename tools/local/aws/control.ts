import type { IncomingMessage, ServerResponse } from 'node:http';
import * as v from 'valibot';
import type { CallLog } from './endpoint/call-log.ts';
import { faultSchema } from './endpoint/fault-schema.ts';
import type { Faults } from './endpoint/faults.ts';
import { readRequest, send } from './endpoint/http.ts';
import { serveLoopback } from '../server/loopback-server.ts';
import type { Mails } from './stand-ins/ses/backend.ts';
import type { Pushes } from './stand-ins/sns/backend.ts';
import type { WebPushes } from '../web-push/push-service.ts';
import type { Sessions } from './stand-ins/sts/sessions.ts';

export type ControlOptions = {
  pushes: Pushes;
  mails: Mails;
  webPushes: WebPushes;
  faults: Faults;
  calls: CallLog;
  sessions: Pick<Sessions, 'expireAll'>;
  dropConnections: () => void;
};
export type Control = { pushesUrl: string; mailsUrl: string; faultsUrl: string; close: () => Promise<void> };

/**
 * Lets people and tests look into the local AWS and change it: `/pushes` lists the sent pushes (with `?token=` those to one
 * device), `/mails` the mails (with `?to=` those to one address), `/faults` adds and removes faults, `/calls` lists the latest calls (with `?caller=` those with one access key),
 * `DELETE /sessions` expires all credentials from STS, and `DELETE /connections` drops what Lambdas have, as a freeze does.
 */
export async function startControl(options: ControlOptions): Promise<Control> {
  const server = await serveLoopback((incoming, response) => {
    respond(options, incoming)
      .then(({ status, body, headers = {} }) => reply(response, status, body, headers))
      .catch(() => response.destroy());
  });
  return {
    pushesUrl: `${server.url}/pushes`,
    mailsUrl: `${server.url}/mails`,
    faultsUrl: `${server.url}/faults`,
    close: () => server.close(),
  };
}

type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

async function respond(options: ControlOptions, incoming: IncomingMessage): Promise<Answer> {
  const { mails, faults, calls, sessions } = options;
  const request = await readRequest(incoming);
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const call = `${request.method} ${pathname}`;
  if (call === 'GET /pushes') return { status: 200, body: arrived(options, searchParams.get('token')) };
  if (call === 'GET /mails') return { status: 200, body: mails.list(searchParams.get('to')) };
  if (call === 'GET /faults') return { status: 200, body: faults.list() };
  if (call === 'POST /faults') return addFault(faults, request.body.toString());
  if (call === 'GET /calls') return { status: 200, body: madeBy(calls, searchParams.get('caller')) };
  if (call === 'DELETE /calls') {
    calls.reset();
    return { status: 204 };
  }
  if (call === 'DELETE /sessions') {
    sessions.expireAll();
    return { status: 204 };
  }
  if (call === 'DELETE /connections') {
    options.dropConnections();
    return { status: 204 };
  }
  const id = /^DELETE \/faults\/([^/]+)$/.exec(call)?.[1];
  if (id !== undefined && faults.remove(id)) return { status: 204 };
  return { status: 404, body: { message: id === undefined ? 'Not found' : `There is no fault ${id}.` } };
}

/** Without the headers to FCM and APNs, which only tests in this process use. */
const shown = ({ at, platform, token, endpointArn, payload }: ReturnType<Pushes['list']>[number]) => ({
  ...{ at, platform, token, endpointArn, payload },
});

/** Pushes, newest last: all, or those to a device's token or a browser's subscription. */
function arrived({ pushes, webPushes }: ControlOptions, token: string | null): unknown[] {
  const isAskedFor = (push: { token: string }): boolean => token === null || push.token === token;
  return [
    ...pushes.list().filter(isAskedFor).map(shown),
    ...webPushes
      .list()
      .filter(isAskedFor)
      .map((push) => ({ ...push, body: push.body.toString('base64url') })),
  ].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}

/** All calls, or those with an access key. */
const madeBy = (calls: CallLog, key: string | null): unknown[] =>
  key === null ? calls.list() : calls.list().filter(({ caller }) => caller === key);

function addFault(faults: Faults, body: string): Answer {
  const result = v.safeParse(faultSchema, parse(body));
  if (!result.success) {
    const errors = result.issues.map((issue) => ({
      field: v.getDotPath(issue) ?? '',
      detail: issue.message,
    }));
    return { status: 400, body: { message: 'The fault is invalid.', errors } };
  }
  const { id } = faults.add(result.output);
  return { status: 201, body: { id }, headers: { location: `/faults/${id}` } };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function reply(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string>,
): void {
  const common = { ...headers, 'cache-control': 'no-store' };
  if (body === undefined) {
    response.writeHead(status, common).end();
    return;
  }
  send(response, {
    status,
    headers: { ...common, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
