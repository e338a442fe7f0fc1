/** The audit of a group from files: who of several people confirmed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GroupAudit } from '#consumer';
import { testOmi } from '#testing';
import { omi } from '../../cli/omi.ts';
import { hasPython } from '../../docs/tenants/programs.ts';
import { PythonAuditor } from './payment-files.ts';

type Json = Record<string, unknown>;
type Files = { group: Json; message: string; details: string; keys: object };

const message = 'Pay 25,000 € to Café Zoë?';
const members = ['anna', 'boris', 'carla'];
const details = [{ type: 'payment', amount: '25000.00' }];

let kept: Files;
beforeAll(async () => {
  const service = testOmi({
    users: { boris: 'denies', carla: { after: 3_000, then: 'confirms' } },
  });
  const asked = { members, required: 2, message, details, nonce: 'nonce-of-the-order-1234' };
  const group = await service.confirmGroup(asked);
  kept = { group, message, details: JSON.stringify(details), keys: service.keys };
});

type Run = (args: string[]) => Promise<{ code: number; output: string }>;

async function audited(run: Run, files: Files, ...more: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'omi-audit-'));
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  try {
    const { code, output } = await run([
      ...['--test-users', '--group', await write('group.json', JSON.stringify(files.group))],
      ...['--message', `@${await write('message.txt', files.message)}`],
      ...['--details', await write('details.json', files.details)],
      ...['--keys', await write('keys.json', JSON.stringify(files.keys)), ...more],
    ]);
    return { code, verdict: JSON.parse(output) as GroupAudit };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const byCommand: Run = async (args) => {
  const { code, out, err } = await omi(['audit', '--json', ...args]);
  if (out === '') throw new Error(err);
  return { code, output: out };
};

const python = hasPython ? new PythonAuditor() : undefined;
afterAll(async () => {
  await python?.stop();
});

const auditors: { name: string; run: Run; missing?: boolean }[] = [
  { name: 'omi audit', run: byCommand },
  {
    name: 'omi.groups in Python',
    run: async (args) => await (python?.run(args) ?? byCommand(args)),
    missing: !python,
  },
];

const votesOf = ({ group }: Files): Json[] => group['votes'] as Json[];

describe.each(auditors)('$name', ({ run, missing }) => {
  const its = missing ? test.skip : test;

  its('a group is proved: who of whom had to confirm, and who did', async () => {
    const { code, verdict } = await audited(run, kept);
    expect(verdict).toMatchObject({
      proved: true,
      statement: { message, members, required: 2, confirmedBy: [{ userId: 'anna' }, { userId: 'carla' }] },
    });
    expect(code).toBe(0);
  });

  its("a callback's body is proved with the nonce and the members that the auditor names", async () => {
    const { nonce, ...group } = kept.group;
    const [anna, , carla] = votesOf(kept);
    // The vote of an erased user is missing.
    const files = { ...kept, group: { type: 'group.approved', data: { ...group, votes: [anna, carla] } } };
    const named = ['--nonce', String(nonce), '--members', ...members];
    expect((await audited(run, files, ...named)).verdict.proved).toBe(true);
    const { verdict } = await audited(run, files, '--nonce', String(nonce));
    expect(verdict).toMatchObject({ proved: false, failure: { code: 'challengeId' } });
  });

  describe('a group is not proved', () => {
    const changes: [string, string, (files: Files) => void][] = [
      ['if it is not approved', 'status', ({ group }) => (group['status'] = 'denied')],
      ['if fewer had to confirm', 'challengeId', ({ group }) => (group['required'] = 1)],
      ['if the nonce is another one', 'challengeId', ({ group }) => (group['nonce'] = 'another')],
      ['if a member is left out', 'challengeId', (files) => votesOf(files).splice(1, 1)],
      [
        'if a vote is missing',
        'votes',
        (files) => Object.assign(votesOf(files)[0] ?? {}, { status: 'denied' }),
      ],
      [
        'if one vote counts twice',
        'sub',
        (files) => Object.assign(votesOf(files)[2] ?? {}, { ...votesOf(files)[0], userId: 'carla' }),
      ],
      ['if the message is another one', 'messageHash', (files) => (files.message = 'Pay 1 €?')],
      ['if a detail is another one', 'detailsHash', (files) => (files.details = '[{"type":"payment"}]')],
      ['if the details are not of JSON', 'detailsHash', (files) => (files.details = '[NaN]')],
      ['if the details are no JSON', 'detailsHash', (files) => (files.details = 'none')],
      ['if the file names no number of members', 'record', ({ group }) => (group['required'] = true)],
      ['if the file is a confirmation', 'record', (files) => (files.group = votesOf(files)[0] ?? {})],
    ];

    its.each(changes)('%s', async (_, failure, change) => {
      const files = structuredClone(kept);
      change(files);
      const { code, verdict } = await audited(run, files);
      expect(verdict).toMatchObject({ proved: false, failure: { code: failure } });
      expect(code).toBe(1);
    });

    its('if it is of another service', async () => {
      const { verdict } = await audited(run, kept, '--base-url', 'https://elsewhere.example');
      expect(verdict).toMatchObject({ proved: false, failure: { code: 'aud' } });
    });
  });
});

test('an audit needs a confirmation or a group', async () => {
  const { code, err } = await omi(['audit', '--message', 'Pay?', '--keys', 'keys.json']);
  expect(code).toBe(2);
  expect(err).toContain('--group');
});
