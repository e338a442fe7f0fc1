/** What a person sees when they get a command wrong: exit code 2, and what was expected where. */
import { describe, expect, test } from '@jest/globals';
import { parse } from './command-lines.ts';
import { omi } from './omi.ts';

const valid = {
  tenant: '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01',
  stream: 'arn:aws:kinesis:eu-central-1:111122223333:stream/events',
  role: 'arn:aws:iam::111122223333:role/omi-event-export',
};

describe('a command with bad input', () => {
  const set = ['target', 'set', 'stream', '--category', 'public', '--tenant', valid.tenant];
  const bucket = ['target', 'set', 'bucket', '--category', 'log', '--tenant', valid.tenant];
  const bus = ['target', 'set', 'bus', '--category', 'public', '--tenant', valid.tenant];
  test.each<[string, string[], string[]]>([
    [
      'a count',
      ['tenant', 'create', '--name', 'Bank', '--max-devices', '21'],
      ['--max-devices', 'from 1 to 20'],
    ],
    [
      'a lifetime above a day',
      ['tenant', 'create', '--name', 'Bank', '--longest-lifetime', '86401'],
      ['--longest-lifetime', 'from 30 to 86400'],
    ],
    [
      'a limit of 0 open confirmations',
      ['tenant', 'create', '--name', 'Bank', '--open-per-device', '0'],
      ['--open-per-device', 'from 1 to 20'],
    ],
    [
      'text instead of a number',
      ['tenant', 'create', '--name', 'Bank', '--per-day', 'many'],
      ['--per-day', 'from 1 to 1000'],
    ],
    [
      'a choice',
      ['tenant', 'create', '--name', 'Bank', '--number-matching', 'on'],
      ['--number-matching', 'pick'],
    ],
    [
      'a name with a hidden character',
      ['tenant', 'create', '--name', 'Ba\u200bnk'],
      ['--name', 'remove U+200B'],
    ],
    [
      "a client's name with a hidden character",
      ['client', 'create', '--tenant', valid.tenant, '--name', 'Shop\u200f', '--scope', 'all'],
      ['--name', 'A-Z a-z'],
    ],
    ['an empty name', ['tenant', 'create', '--name', ''], ['--name', 'at least one letter']],
    [
      'text with a hidden character',
      ['tenant', 'create', '--name', 'Bank', '--generic-text', 'a\u202eb'],
      ['--generic-text', 'remove U+202E'],
    ],
    [
      'text without a visible character',
      ['tenant', 'create', '--name', 'Bank', '--generic-text', ' \u3000 '],
      ['--generic-text', 'at least one letter'],
    ],
    [
      'a name with a hidden character',
      ['tenant', 'show', '--tenant', 'Ba\u200bnk'],
      ['--tenant', 'its name'],
    ],
    [
      'a category',
      ['target', 'pause', '--tenant', valid.tenant, '--category', 'all'],
      ['--category', 'public or log'],
    ],
    [
      'a stream',
      [...set, '--role-arn', valid.role, '--stream-arn', 'events'],
      ['--stream-arn', 'arn:aws:kinesis'],
    ],
    ['an event bus', [...bus, '--role-arn', valid.role, '--arn', valid.stream], ['--arn', 'event-bus']],
    ['a role', [...set, '--stream-arn', valid.stream, '--role-arn', 'writer'], ['--role-arn', 'arn:aws:iam']],
    [
      'a short external id',
      [...set, '--stream-arn', valid.stream, '--role-arn', valid.role, '--external-id', 'short'],
      ['--external-id', '16'],
    ],
    [
      'a scope',
      ['client', 'create', '--tenant', valid.tenant, '--name', 'a', '--scope', 'all', 'root'],
      ['--scope'],
    ],
    [
      'a time without offset',
      ['replay', '--tenant', valid.tenant, '--category', 'log', '--from', '2026-03-01T08:00:00'],
      ['--from', '2026-03-01T08:30:00Z'],
    ],
    ['a user', ['device', 'list', '--tenant', valid.tenant, '--user', 'a/b'], ['--user', '1 to 128']],
    [
      'a nonce',
      ['confirmation', 'show', '--tenant', valid.tenant, '--nonce', 'short'],
      ['--nonce', '16 to 128'],
    ],
    ['a name of spaces', ['tenant', 'create', '--name', ' \u200b '], ['--name', 'at least one letter']],
    ['an empty client id', ['client', 'delete', '--yes', '--client', ''], ['--client', 'the id of a client']],
    ['a client id of 600 characters', ['client', 'rotate', '--client', 'a'.repeat(600)], ['1 to 512']],
    [
      'an empty device id',
      ['device', 'remove', '--tenant', valid.tenant, '--user', 'a', '--yes', '--device', ''],
      ['--device', 'UUID'],
    ],
    ['a missing key', [...bucket, '--bucket', 'events'], ['--kms-key-arn']],
    [
      'a key of an unknown region',
      [...bucket, '--bucket', 'events', '--kms-key-arn', 'arn:aws:kms:nowhere-1:111122223333:key/1'],
      ['--kms-key-arn', 'eu-central-1'],
    ],
    [
      'both ends of a rotation',
      ['client', 'rotate', '--client', 'a', '--finish', '--cancel'],
      ['--finish', '--cancel'],
    ],
    [
      'a client without its tokens',
      ['--local', 'smoke', '--client-id', 'a'],
      ['--token-command and --client-id must be used together'],
    ],
    [
      'a stream without its role',
      ['--local', 'smoke', '--stream-arn', valid.stream],
      ['--stream-arn, --role-arn and --external-id must be used together'],
    ],
    ['a region', ['--region', 'eu central', 'doctor'], ['--region', 'eu-central-1']],
    ['a stage', ['--stage', 'a/b', 'doctor'], ['--stage', 'production']],
    [
      "a label's key",
      ['tenant', 'set', valid.tenant, '--label', 'Tier=gold'],
      ['--label', '1 to 32 characters (small letters'],
    ],
    [
      'a label without a value',
      ['tenant', 'set', valid.tenant, '--label', 'tier='],
      ['--label', '1 to 64 visible characters'],
    ],
    [
      'a label to remove with a value',
      ['tenant', 'set', valid.tenant, '--no-label', 'tier=gold'],
      ['--no-label', '1 to 32 characters (small letters'],
    ],
    ['a broken cursor', ['tenant', 'list', '--cursor', 'x'], ['--cursor', 'of an earlier page']],
    [
      'a cursor of a list for deliveries',
      ['target', 'deliveries', valid.tenant, 'public', '--cursor', 'WyJhIixbXV0'],
      ['--cursor', 'of an earlier page'],
    ],
    ['an order', ['tenant', 'list', '--sort', 'age'], ['--sort', 'waiting, since, name']],
    ['a state', ['target', 'list', '--state', 'broken'], ['--state', 'validating, active']],
    ['a missing option', ['tenant', 'create'], ['--name']],
    ['an unknown option', ['doctor', '--loud'], ['--loud']],
    ['an id that begins with a hyphen', ['trace', '-DTKQ7XYa380L0I='], ['behind "--"']],
    ['an unknown command', ['tenant', 'drop'], ['drop']],
    [
      'options that exclude each other',
      ['--local', '--region', 'eu-west-1', 'doctor'],
      ['--local', '--region'],
    ],
  ])('names the field and what it expects for %s', async (_, args, named) => {
    const { code, out, err } = await omi(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    for (const text of named) expect(err).toContain(text);
  });
});

// "General purpose bucket naming rules" in S3's guide
describe('a bucket name', () => {
  const policies = ['target', 'policies', '--tenant', valid.tenant, '--bucket'];
  test.each([
    ['a..b', 'two dots'],
    ['192.168.5.4', 'IP address'],
    ['ab', '3 to 63'],
    ['a'.repeat(64), '3 to 63'],
    ['Events', 'a-z'],
    ['-events', 'both ends'],
    ...['xn--events', 'sthree-events', 'amzn-s3-demo-events'].map((name) => [name, 'S3 reserves']),
    ...['events-s3alias', 'events--ol-s3', 'events.mrap', 'events--a--x-s3', 'events--table-s3'].map(
      (name) => [name, 'S3 reserves'],
    ),
  ])('%s is rejected with the rule', async (name, rule) => {
    const { code, out, err } = await omi([...policies, name]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('--bucket');
    expect(err).toContain(rule);
  });

  test.each(['abc', 'a.b-c', '1.2.3', '192.168.5.4.5', 'my-xn--events', 'a'.repeat(63)])(
    '%s is accepted',
    async (name) => {
      await expect(parse([...policies, name].join(' '))).resolves.toBeDefined();
    },
  );
});
