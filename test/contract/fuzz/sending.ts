import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createSecretKey } from 'node:crypto';
import { signCompact, type SigningKey } from '../../../client/device/jws.ts';
import { newKeyPair } from '../../../client/device/simulated-device.ts';
import { cut, mutated } from './mutations.ts';
import type { FuzzedCall } from './requests.ts';
import { bodyOf, formOf, parameterOf, queryOf, signedOf, type World } from './world.ts';

export type Sent = { method: string; target: string; headers: Record<string, string>; body?: Buffer };
export type Received = { status: number; headers: IncomingMessage['headers']; text: string };

const strangers: Record<string, SigningKey> = {
  other: newKeyPair().privateKey,
  none: 'none',
  secret: createSecretKey(Buffer.from('a secret that somebody made up')),
};

function pathOf({ route, parameters, path }: FuzzedCall, world: World): string {
  let position = 0;
  const filled = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const given = parameters[position++];
    return given === undefined || given === '' ? parameterOf(name, route.lambda, world) : given;
  });
  return filled + path;
}

function jwsOf({ route, body, header, signer, cuts }: FuzzedCall, world: World): string {
  const { device, ...message } = signedOf(route.lambda, route, world);
  const jws = signCompact({
    header: mutated(message.header, header) as Record<string, unknown>,
    claims: mutated(message.claims, body),
    key: strangers[signer] ?? device.keys.privateKey,
  });
  return cut(jws, cuts);
}

type Content = { authorization?: string; type?: string; body?: string };

function formContent({ route, body, cuts }: FuzzedCall, world: World): Content {
  const fields = Object.entries(mutated(formOf(route.lambda, world), body) ?? {});
  const texts = fields.map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return {
    authorization: `Basic ${world.basic}`,
    type: 'application/x-www-form-urlencoded',
    body: cut(new URLSearchParams(texts).toString(), cuts),
  };
}

function jsonContent({ route, body, cuts }: FuzzedCall, world: World): Content {
  const json = bodyOf(route.lambda, world);
  return json ? { type: 'application/json', body: cut(JSON.stringify(mutated(json, body)), cuts) } : {};
}

/** Header and body of a JWS, of a form or of JSON, as the route has them when nothing is wrong. */
function contentOf(call: FuzzedCall, world: World): Content {
  const { route } = call;
  if (route.caller === 'client') return formContent(call, world);
  if (route.caller === 'website') {
    return { authorization: `Bearer ${world.token}`, ...jsonContent(call, world) };
  }
  if (route.caller === 'staff') {
    return { authorization: `Bearer ${world.staffToken}`, ...jsonContent(call, world) };
  }
  if (route.caller === 'anyone') return jsonContent(call, world);
  const jws = jwsOf(call, world);
  const isInHeader = route.method === 'GET' || route.method === 'DELETE';
  return isInHeader ? { authorization: `OMI-Device ${jws}` } : { type: 'application/jose', body: jws };
}

/** The call as it goes over the wire. */
export function builtOf(call: FuzzedCall, world: World): Sent {
  const content = contentOf(call, world);
  const type = call.contentType ?? content.type;
  const authorization = call.authorization ?? content.authorization;
  const body = call.rawBody ?? (content.body === undefined ? undefined : Buffer.from(content.body));
  return {
    method: call.method ?? call.route.method,
    target:
      pathOf(call, world) + (call.query === undefined ? queryOf(call.route.lambda, world) : `?${call.query}`),
    headers: {
      ...call.headers,
      ...(type === undefined ? {} : { 'content-type': type }),
      // A header carries bytes; a JWS that was cut may have others.
      ...(authorization === undefined
        ? {}
        : { authorization: authorization.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?') }),
    },
    ...(body && { body }),
  };
}

const agent = new Agent({ keepAlive: true });

/** Byte for byte: fetch would tidy the path, and refuse a body in places. */
export async function send({ method, target, headers, body }: Sent, baseUrl: string): Promise<Received> {
  const { hostname, port } = new URL(baseUrl);
  const length = body ? { 'content-length': String(body.length) } : {};
  const sent = request({
    agent,
    hostname,
    port,
    method,
    path: target,
    headers: { ...headers, ...length },
  }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const received = await buffer(response);
  return { status: response.statusCode ?? 0, headers: response.headers, text: received.toString() };
}

export const endSending = (): void => agent.destroy();
