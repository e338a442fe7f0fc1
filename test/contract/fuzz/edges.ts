import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { routes, type RouteDefinition } from '../../../lambdas/routes.ts';
import { expectAnswer, operationAt } from '../../support/openapi.ts';
import type { TestStack } from '../../support/stack.ts';
import { leakPattern } from '../expectations.ts';
import { volley, type FuzzedCall } from './requests.ts';
import { builtOf, endSending, send, type Received, type Sent } from './sending.ts';
import { newWorld, type World } from './world.ts';
import { longestTestMs } from '../../support/waiting.ts';

const volleyCount = Number(process.env['OMI_FUZZ_VOLLEYS'] ?? 110);
/** Something in a world gets used up now and then: a device removed, a challenge answered. */
const volleysInAWorld = 15;

const parse = (text: string): unknown => (text === '' ? undefined : JSON.parse(text));

/** HTTP API finds the route by the decoded path. */
function decodedPath(target: string): string | undefined {
  try {
    return decodeURIComponent(target.split('?', 1)[0] ?? '').split('?', 1)[0];
  } catch {
    return undefined;
  }
}

/** Answers that come before a Lambda runs; of a head beyond its quota the local server has two, one of them empty. */
function expectGatewayRefusal({ status, text }: Received): void {
  expect([400, 401, 403, 404, 413, 431]).toContain(status);
  if (status !== 431) expect(parse(text)).toEqual({ message: expect.any(String) });
}

/** RFC 6749, section 5.2. */
function expectOAuthRefusal({ headers, text }: Received): void {
  expect(headers['cache-control']).toBe('no-store');
  expect(parse(text)).toEqual({ error: expect.any(String), error_description: expect.any(String) });
}

const isOAuthRefusal = ({ text }: Received): boolean => text.startsWith('{"error":');

const isPage = ({ status, headers }: Received): boolean =>
  status === 404 && headers['content-type'] === 'text/html; charset=utf-8';

function expectRefusal(call: FuzzedCall, received: Received): void {
  const { status, headers, text } = received;
  if (call.route.caller === 'client' && isOAuthRefusal(received)) {
    expectOAuthRefusal(received);
    return;
  }
  // The page of a problem that there is not.
  if (isPage(received)) return;
  if (headers['content-type']?.startsWith('application/problem+json') !== true) {
    expectGatewayRefusal(received);
    return;
  }
  expect(headers['cache-control']).toBe('no-store');
  expect(parse(text)).toMatchObject({ status, code: expect.any(String), traceId: expect.any(String) });
}

function expectDocumented({ method, target }: Sent, { status, headers, text }: Received): void {
  // The checkpoint of a log is a text of its own form, and so is the page of a problem.
  if (headers['content-type']?.startsWith('text/')) return;
  const operation = operationAt(method, decodedPath(target) ?? '');
  if (operation && status !== 431) expectAnswer(operation, status, parse(text));
}

/** What a route without credentials and without a body answers is everybody's. */
const isPublic = ({ caller, method }: RouteDefinition): boolean => caller === 'anyone' && method === 'GET';

const cachingOf = ({ route }: FuzzedCall): string => (isPublic(route) ? 'max-age=300' : 'no-store');

/** ARNs, and the codes by which AWS refused a delivery. */
const toldToOwners = /arn:aws[\w:/.+=,@-]*|"code":"\w+"/g;

/** Tenants read there what their own resources are and answered, and the operator's staff that of all tenants. */
const isOwnExport = ({ route }: FuzzedCall, status: number): boolean =>
  status < 300 && /^\/omi\/(exports|staff)/.test(route.path);

function expectGoodManners(call: FuzzedCall, sent: Sent, received: Received): void {
  const { status, headers, text } = received;
  expect(status).toBeLessThan(500);
  expect(isOwnExport(call, status) ? text.replaceAll(toldToOwners, '') : text).not.toMatch(leakPattern);
  if (status >= 400) expectRefusal(call, received);
  else expect(headers['cache-control']).toBe(cachingOf(call));
  expectDocumented(sent, received);
}

/** Only what comes of the request itself comes again: a machine that is busy with other things is no fault of ours. */
async function sendPatiently(sent: Sent, baseUrl: string, attempt = 1): Promise<Received> {
  const received = await send(sent, baseUrl);
  const retryAfter = Number(received.headers['retry-after']);
  if (received.status !== 503 || attempt === 4 || !(retryAfter > 0)) return received;
  await wait(retryAfter * 1_000);
  return await sendPatiently(sent, baseUrl, attempt + 1);
}

const shortened = ({ body, ...sent }: Sent): string =>
  JSON.stringify({ ...sent, body: body?.toString('latin1').slice(0, 2_000) }, undefined, 1);

export function edges(stack: TestStack): void {
  afterAll(endSending);
  const answered = new Map<string, Set<number>>();

  const fire = async (call: FuzzedCall, world: World): Promise<void> => {
    const built = builtOf(call, world);
    const received = await sendPatiently(built, stack.file.baseUrl);
    const { lambda } = call.route;
    if (['no-store', cachingOf(call)].includes(received.headers['cache-control'] ?? ''))
      answered.set(lambda, (answered.get(lambda) ?? new Set()).add(received.status));
    try {
      expectGoodManners(call, built, received);
    } catch (error) {
      const { status, text } = received;
      throw new Error(`${shortened(built)}\nanswered ${status} ${text}`, { cause: error });
    }
  };

  test('get documented answers that are no server faults and reveal no internals', async () => {
    let volleys = 0;
    let world = await newWorld(stack);
    await fc.assert(
      fc.asyncProperty(volley, async (calls) => {
        volleys += 1;
        if (volleys % volleysInAWorld === 0) world = await newWorld(stack);
        await Promise.all(calls.map(async (call) => await fire(call, world)));
      }),
      { numRuns: volleyCount, seed: 20_260_101, plugins: [fc.interruptAfterTimeLimit(longestTestMs / 2)] },
    );
  });

  test('reach every Lambda, and get at least two kinds of answer where something is sent', () => {
    // A read has little that can be wrong, and the gateway's refusals do not count.
    const isUntried = ({ lambda, method }: RouteDefinition): boolean =>
      (answered.get(lambda)?.size ?? 0) < (method === 'GET' ? 1 : 2);
    expect(routes.filter(isUntried).map(({ lambda }) => lambda)).toEqual([]);
  });
}
