/** Whatever callers send, no log line of it counts as a fault of a version, by which a deployment would roll back. */
import { expect, test } from '@jest/globals';
import { useExclusiveStack } from '../support/use-stack.ts';
import { countedBy, filtersOf } from '../lib/own-metrics.ts';
import { synthesize } from '../lib/synthesize.ts';

const stack = useExclusiveStack();

const json = { 'content-type': 'application/json' };
const user = '/omi/push/user/somebody';

test("bad tokens, malformed bodies, unknown routes and huge headers count as callers' faults, not ours", async () => {
  const authorization = `Bearer ${await stack.website.accessToken()}`;
  const valid = { ...json, authorization };
  const post = (headers: Record<string, string>, body: string) => ({ method: 'POST', headers, body });
  const calls: [path: string, options: RequestInit][] = [
    ...['', 'Bearer', 'Bearer a.b.c', `Bearer ${'x'.repeat(4_000)}`, `${authorization}x`].map(
      (token): [string, RequestInit] => [user, post({ ...json, authorization: token }, '{}')],
    ),
    ...['{', '[]', 'null', '"x"', '{"__proto__":1}', `{"message":"${'x'.repeat(60_000)}"}`].map(
      (body): [string, RequestInit] => [user, post(valid, body)],
    ),
    [user, post({ ...valid, 'content-type': 'text/plain' }, '{}')],
    [user, post({ ...valid, 'x-huge': 'x'.repeat(9_000) }, '{}')],
    ['/omi/nothing', { headers: valid }],
    ['/omi/device/challenges', { headers: { authorization: `OMI-Device ${'e30.'.repeat(900)}` } }],
    ['/omi/device/enrolments', post({ 'content-type': 'application/jose' }, 'a.b.c')],
    ['/omi/enrol/status?enrolmentId=%00', { headers: valid }],
  ];
  for (const [path, options] of calls) {
    const { status } = await fetch(`${stack.file.baseUrl}${path}`, options);
    expect([path, status >= 400 && status < 500]).toEqual([path, true]);
  }
  const log = await stack.log();
  const lines = log.split('\n').flatMap((line): Record<string, unknown>[] => {
    return line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : [];
  });
  expect(lines.filter(({ message }) => message === 'refused').length).toBeGreaterThan(3);
  const filters = filtersOf(synthesize('production'));
  expect(filters.length).toBe(2);
  expect(lines.filter((line) => countedBy(filters, line).length > 0)).toEqual([]);
});
