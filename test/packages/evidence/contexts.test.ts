/** The context is text that others wrote: a member of another type must not pass for what the user saw. */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { readContext } from '../../../packages/evidence/src/check-context.ts';
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

describe('a context is read only with members of the right types', () => {
  test.each(cases)('%s', (context, expected) => {
    expect(outcomeOf(context)).toBe(expected);
  });

  (hasPython ? test : test.skip)('by Python, too', async () => {
    const program = startPython('test/packages/evidence/contexts.py');
    program.stdin.end(cases.map(([context]) => context).join('\n'));
    const [written] = await Promise.all([text(program.stdout), once(program, 'close')]);
    expect(written.trimEnd().split('\n')).toEqual(cases.map(([, expected]) => expected));
  });
});
