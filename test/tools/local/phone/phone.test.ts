/** The simulated phone, as somebody at a terminal uses it. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebsiteClient } from '../../../../tools/client/website-client.ts';
import { jsonOn } from '../../../cli/omi.ts';
import { openBank } from '../../../contract/approvals/bank.ts';
import { notification, poll } from '../../../contract/scenario.ts';
import { succeeded } from '../../../contract/expectations.ts';
import { useSharedStack } from '../../../support/use-stack.ts';
import { eventually } from '../../../support/waiting.ts';
import { phoneWithoutInput, RunningPhone } from './running-phone.ts';
import { disposable, expectPlain, linkFor } from './started-phone.ts';

const stack = useSharedStack();
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'omi-phone-'));
});
afterAll(async () => await rm(folder, { recursive: true }));

const send = async (website: WebsiteClient, userId: string, expiresIn = 120) =>
  succeeded(await website.sendToUser(userId, notification({ expiresIn })), 202);

/** The end of a confirmation, and its reason. */
async function ended(website: WebsiteClient, nonce: string): Promise<string> {
  const find = async () => {
    const { status, reason } = await poll(website, nonce);
    return status === 'pending' ? undefined : [status, reason].filter(Boolean).join(' ');
  };
  return await eventually('The end', find);
}

describe('the answers of a simulated phone', () => {
  test.each([
    ['y', 'confirmed'],
    ['Y', 'confirmed'],
    [' YES ', 'confirmed'],
    ['n', 'denied user_declined'],
    ['No', 'denied user_declined'],
    ['m', 'denied not_me'],
    ['Not me', 'denied not_me'],
  ])('"%s" is %s', async (line, end) => {
    await using started = await disposable(stack.website);
    const { nonce } = await send(stack.website, started.userId);
    await started.phone.says('Confirm?');
    started.phone.type(line);
    expect(await ended(stack.website, nonce)).toBe(end);
    await started.phone.says(end.split(' ')[0] ?? '');
  });

  test('come after everything that is signed was shown', async () => {
    await using started = await disposable(stack.website);
    const authorizationDetails = [{ type: 'payment', amount: '16.00', to: 'Café Zoë' }];
    const asked = notification({ authorizationDetails });
    succeeded(await stack.website.sendToUser(started.userId, asked), 202);
    await started.phone.says(/details: \[\{"type":"payment","amount":"16\.00","to":"Café Zoë"\}\]/);
    started.phone.type('y');
    expect(await ended(stack.website, asked.nonce)).toBe('confirmed');
  });

  test('are asked for again if they are not clear', async () => {
    await using started = await disposable(stack.website);
    const { nonce } = await send(stack.website, started.userId);
    for (const line of ['', 'maybe', 'ye']) {
      await started.phone.says('Confirm?');
      started.phone.type(line);
      await started.phone.says('not clear');
    }
    expect((await poll(stack.website, nonce)).status).toBe('pending');
    await started.phone.says('Confirm?');
    started.phone.type('y');
    expect(await ended(stack.website, nonce)).toBe('confirmed');
  });

  test.each([
    ['--confirm', 'confirmed'],
    ['--deny', 'denied user_declined'],
    ['--not-me', 'denied not_me'],
  ])('come from %s without asking: %s', async (option, end) => {
    await using started = await disposable(stack.website, option);
    const { nonce } = await send(stack.website, started.userId);
    expect(await ended(stack.website, nonce)).toBe(end);
    expect(started.phone.output).not.toContain('Confirm?');
  });

  test('are asked one after the other for several requests, the next to expire first', async () => {
    const website = await openBank(stack);
    await using started = await disposable(website);
    const asked = await send(website, started.userId);
    await started.phone.says('Confirm?');
    const tomorrow = await send(website, started.userId, 86_400);
    const soonOver = await send(website, started.userId, 600);
    started.phone.type('y');
    await started.phone.says('2 requests are open, the next to expire first');
    await started.phone.says(/5\d\d s left/);
    started.phone.type('n');
    await started.phone.says(/14\d\d min left/);
    started.phone.type('y');
    expect(await ended(website, asked.nonce)).toBe('confirmed');
    expect(await ended(website, soonOver.nonce)).toBe('denied user_declined');
    expect(await ended(website, tomorrow.nonce)).toBe('confirmed');
  });

  test('come too late after the expiry, and the next challenge is asked', async () => {
    await using started = await disposable(stack.website);
    const unanswered = await send(stack.website, started.userId, 30);
    await started.phone.says('Confirm?');
    await started.phone.says('The time to answer is over');
    // The phone counts from when it asked, and so is a little early.
    expect(await ended(stack.website, unanswered.nonce)).toBe('expired');
    const { nonce } = await send(stack.website, started.userId);
    await started.phone.says('Confirm?');
    started.phone.type('y');
    expect(await ended(stack.website, nonce)).toBe('confirmed');
  });

  test('are impossible after a withdrawal, which is explained', async () => {
    await using started = await disposable(stack.website);
    const { nonce } = await send(stack.website, started.userId);
    await started.phone.says('Confirm?');
    await stack.website.withdraw(nonce);
    started.phone.type('y');
    await started.phone.says('answered elsewhere or withdrawn');
  });
});

describe('number matching', () => {
  const websites: Partial<Record<'pick' | 'type', WebsiteClient>> = {};
  const websiteOf = (mode: 'pick' | 'type'): WebsiteClient => websites[mode] ?? stack.website;

  beforeAll(async () => {
    const json = jsonOn(stack);
    for (const mode of ['pick', 'type'] as const) {
      const { tenantId } = await json<{ tenantId: string }>(
        ...['tenant', 'create', '--name', `Bank ${mode}`, '--number-matching', mode],
      );
      const client = await json<{ clientId: string; clientSecret: string }>(
        ...['client', 'create', '--tenant', tenantId, '--name', 'website', '--scope', 'all'],
      );
      websites[mode] = new WebsiteClient({ ...stack.file, ...client });
    }
  });

  const questions = { pick: 'Which number does the website show', type: 'Type the six digits' };

  describe.each(['pick', 'type'] as const)('number matching of the kind %s', (mode) => {
    test('confirms with the right number, and asks again after a typing error', async () => {
      await using started = await disposable(websiteOf(mode));
      const { nonce, matchCode = '' } = await send(websiteOf(mode), started.userId);
      await started.phone.says('Confirm?');
      started.phone.type('Y');
      for (const slip of ['', '7', 'y']) {
        await started.phone.says(questions[mode]);
        started.phone.type(slip);
        await started.phone.says('not clear');
      }
      await started.phone.says(questions[mode]);
      started.phone.type(matchCode);
      expect(await ended(websiteOf(mode), nonce)).toBe('confirmed');
    });

    test('ends the confirmation with a wrong number, and the phone says so', async () => {
      await using started = await disposable(websiteOf(mode));
      const { nonce, matchCode = '' } = await send(websiteOf(mode), started.userId);
      await started.phone.says('Confirm?');
      started.phone.type('y');
      await started.phone.says(questions[mode]);
      const offered = /show: ([\d, ]+)\?/.exec(started.phone.output)?.[1]?.split(', ') ?? [
        '000000',
        '111111',
      ];
      started.phone.type(offered.find((number) => number !== matchCode) ?? '');
      expect(await ended(websiteOf(mode), nonce)).toBe('failed wrong_number');
      await started.phone.says('The number was wrong');
    });

    test('lets the user report a request that is not theirs', async () => {
      await using started = await disposable(websiteOf(mode));
      const { nonce } = await send(websiteOf(mode), started.userId);
      await started.phone.says('Confirm?');
      started.phone.type('y');
      await started.phone.says(questions[mode]);
      started.phone.type('M');
      expect(await ended(websiteOf(mode), nonce)).toBe('denied not_me');
    });

    test('asks only for the number with --confirm', async () => {
      await using started = await disposable(websiteOf(mode), '--confirm');
      const { nonce, matchCode = '' } = await send(websiteOf(mode), started.userId);
      await started.phone.says(questions[mode]);
      started.phone.type(matchCode);
      expect(await ended(websiteOf(mode), nonce)).toBe('confirmed');
      expect(started.phone.output).not.toContain('Confirm?');
    });
  });
});

describe('a name', () => {
  test('is what the website reads', async () => {
    await using started = await disposable(stack.website, '--name', "Anna's phone");
    const { devices } = succeeded(await stack.website.listDevices(started.userId), 200);
    expect(devices.map(({ name }) => name)).toEqual(["Anna's phone"]);
  });

  test('is explained if it is not allowed, and the link stays usable', async () => {
    const { qr } = await linkFor(stack.website);
    const refused = await phoneWithoutInput(qr, '--name', '', '--confirm');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.output).toBe('--name takes 1 to 64 characters.\n');
    await using phone = new RunningPhone(qr);
    await phone.says('Waiting for challenges');
  });
});

describe('a key file', () => {
  test('keeps the phone between runs, only for its owner', async () => {
    const file = join(folder, 'phone.json');
    const { qr, userId } = await linkFor(stack.website);
    {
      await using phone = new RunningPhone(qr, '--key', file);
      await phone.says('Enrolled');
    }
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await using phone = new RunningPhone('--key', file);
    await phone.says('Goes on for');
    const { devices } = succeeded(await stack.website.listDevices(userId), 200);
    expect(devices).toHaveLength(1);
    const { nonce } = await send(stack.website, userId);
    await phone.says('Confirm?');
    phone.type('y');
    expect(await ended(stack.website, nonce)).toBe('confirmed');
  });

  test('is not overwritten, and no link is used up', async () => {
    const file = join(folder, 'taken.json');
    await writeFile(file, 'mine');
    const { qr } = await linkFor(stack.website);
    const refused = await phoneWithoutInput(qr, '--confirm', '--key', file);
    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringContaining('already holds the key of a phone'),
    });
    expect(await readFile(file, 'utf8')).toBe('mine');
    await using phone = new RunningPhone(qr);
    await phone.says('Enrolled');
  });

  test('uses up no link if it cannot be written', async () => {
    const { qr } = await linkFor(stack.website);
    const refused = await phoneWithoutInput(qr, '--confirm', '--key', join(folder, 'none', 'phone.json'));
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('cannot be written') });
    await using phone = new RunningPhone(qr);
    await phone.says('Enrolled');
  });

  test('is not left behind by a failed enrolment', async () => {
    const file = join(folder, 'failed.json');
    const { qr } = await linkFor(stack.website);
    const refused = await phoneWithoutInput(`${qr}x`, '--confirm', '--key', file);
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('enrolment code is wrong') });
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  test.each([
    ['is missing', undefined, 'There is no'],
    ['has other content', '{"a":1}', 'does not hold the key of a phone'],
    ['is not JSON', 'hello', 'does not hold the key of a phone'],
  ])('is explained if it %s', async (_, content, words) => {
    const file = join(folder, `${words.length}.json`);
    if (content !== undefined) await writeFile(file, content);
    const refused = await phoneWithoutInput('--key', file, '--confirm');
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining(words) });
    await rm(file, { force: true });
  });
});

describe('a simulated phone', () => {
  test('explains that its device was removed', async () => {
    const file = join(folder, 'removed.json');
    await using started = await disposable(stack.website, '--key', file);
    const [device] = succeeded(await stack.website.listDevices(started.userId), 200).devices;
    succeeded(await stack.website.removeDevice(started.userId, device?.deviceId ?? ''), 204);
    expect(await started.phone.exitCode()).toBe(1);
    expect(started.phone.output).toMatch(/does not know this phone any more: it was removed/);
    expect(started.phone.output).toContain(`delete the file`);
    expectPlain(started.phone.output);
  });

  test('explains that a shell has cut the link', async () => {
    const { qr } = await linkFor(stack.website);
    const refused = await phoneWithoutInput(qr.split('&')[0] ?? '', '--confirm');
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('between single quotes') });
    expectPlain(refused.output);
  });

  test.each([
    ['is empty', '', 'The link is empty'],
    ['is something else', 'https://example.com', 'not an enrolment link'],
    [
      'is of a newer version',
      'https://app.example/enrol#v=2&api=https%3A%2F%2Fa.example&code=x',
      'newer version',
    ],
  ])('explains that the link %s', async (_, link, words) => {
    const refused = await phoneWithoutInput(link, '--confirm');
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining(words) });
    expectPlain(refused.output);
  });

  test('explains that there is no terminal, before the link is used up', async () => {
    const { qr } = await linkFor(stack.website);
    const refused = await phoneWithoutInput(qr);
    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringContaining('There is no terminal to ask'),
    });
    expectPlain(refused.output);
    await using phone = new RunningPhone(qr);
    await phone.says('Enrolled');
  });

  test('explains that its input ended', async () => {
    await using started = await disposable(stack.website);
    started.phone.endInput();
    expect(await started.phone.exitCode()).toBe(1);
    expect(started.phone.output).toContain('There is no terminal to ask');
  });

  test('explains that the link was used before', async () => {
    const { qr } = await linkFor(stack.website);
    await using phone = new RunningPhone(qr);
    await phone.says('Enrolled');
    const refused = await phoneWithoutInput(qr, '--confirm');
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('already used') });
  });

  test('explains its usage', async () => {
    const [help, wrong, both] = [
      await phoneWithoutInput('--help'),
      await phoneWithoutInput('--confrim', 'x'),
      await phoneWithoutInput('x', '--confirm', '--deny'),
    ];
    expect(help).toMatchObject({ code: 0, output: expect.stringContaining('--key <file>') });
    expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining("Unknown option '--confrim'") });
    expect(both).toMatchObject({ code: 1, output: expect.stringContaining('Choose one of') });
    expect((await phoneWithoutInput()).code).toBe(1);
  });
});
