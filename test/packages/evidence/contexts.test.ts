/** The context is text that others wrote: a member of another type must not pass for what the user saw. */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { originMembers } from '../../../core/confirmations/request-origin.ts';
import { checkContext, readContext } from '../../../packages/evidence/src/check-context.ts';
import { EvidenceError } from '../../../packages/evidence/src/evidence-error.ts';
import { hasPython, startPython } from '../../docs/tenants/programs.ts';

const whole = {
  requester: { tenant: 'Bank', client: 'shop' },
  purpose: 'payment',
  device: { deviceId: 'd', name: 'Phone' },
  userVerification: 'required',
  requestedFrom: { browser: 'Firefox', place: 'Köln', ip: '203.0.113.7' },
  group: { id: 'g', required: 2, of: 3 },
};
const readable = [whole, { userVerification: 'off' }, { ...whole, requestedFrom: {}, later: [1] }];
const unreadable = [
  {},
  { ...whole, userVerification: 'sometimes' },
  { ...whole, requester: 5 },
  { ...whole, requester: null },
  { ...whole, requester: { tenant: 'Bank' } },
  { ...whole, requester: { tenant: ['Bank'], client: 'shop' } },
  { ...whole, purpose: { toString: 'payment' } },
  { ...whole, purpose: null },
  { ...whole, device: { deviceId: 'd' } },
  { ...whole, device: { deviceId: 1, name: 'Phone' } },
  { ...whole, requestedFrom: 'Köln' },
  { ...whole, requestedFrom: { ip: null } },
  { ...whole, group: { id: 'g', required: '2', of: 3 } },
  { ...whole, group: { id: 'g', required: true, of: 3 } },
];
const cases = [
  ...readable.map((context) => [JSON.stringify(context), 'read']),
  ...unreadable.map((context) => [JSON.stringify(context), 'context']),
] as [string, string][];

function outcomeOf(context: string): string {
  try {
    readContext(context);
    return 'read';
  } catch (error) {
    if (error instanceof EvidenceError) return error.code;
    throw error;
  }
}

/** What a Python program of this folder says of each line. */
async function linesOf(name: string, lines: readonly string[]): Promise<string[]> {
  const program = startPython(`test/packages/evidence/${name}.py`);
  program.stdin.end(lines.join('\n'));
  const [written] = await Promise.all([text(program.stdout), once(program, 'close')]);
  return written.trimEnd().split('\n');
}

describe('a context is read only with members of the right types', () => {
  test.each(cases)('%s', (context, expected) => {
    expect(outcomeOf(context)).toBe(expected);
  });

  (hasPython ? test : test.skip)('by Python, too', async () => {
    const written = await linesOf(
      'contexts',
      cases.map(([context]) => context),
    );
    expect(written).toEqual(cases.map(([, expected]) => expected));
  });
});

describe('an IPv4-mapped address is compared as the IPv4 address that the service shows', () => {
  const addresses = ['::ffff:203.0.113.7', '::FFFF:CB00:7107', '0:0:0:0:0:ffff:cb00:7107', '203.0.113.7'];
  const others = ['2001:db8::7', '::ffff:0:203.0.113.7', 'unknown'];

  test.each(addresses)('%s', (ip) => {
    expect(v.parse(v.object(originMembers), { ip })).toEqual({ ip: '203.0.113.7' });
    const shown = { userVerification: 'off', requestedFrom: { ip: '203.0.113.7' } } as const;
    expect(() => checkContext(shown, { requestedFrom: { ip } })).not.toThrow();
    expect(() => checkContext(shown, { requestedFrom: { ip: `${ip.slice(0, -1)}8` } })).toThrow();
  });

  (hasPython ? test : test.skip)('by Python, too, and others stay as they are', async () => {
    const written = await linesOf('origins', [...addresses, ...others]);
    expect(written).toEqual([...addresses.map(() => '203.0.113.7'), ...others]);
  });
});
