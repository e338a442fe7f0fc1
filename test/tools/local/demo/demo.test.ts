import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as services from '../../../../tools/local/aws/protocols/services.ts';
import { withFault } from '../../../../tools/local/client/local-stack.ts';
import { SimulatedDevice } from '../../../../tools/client/device/simulated-device.ts';
import { eventually } from '../../../support/waiting.ts';
import { openChallenge } from '../../../contract/scenario.ts';
import { describeIn } from '../../../support/browser/browser-of-run.ts';
import { useExclusiveStack, useSharedStack } from '../../../support/use-stack.ts';

const inChromium = await describeIn('chromium');

async function demo(directory: string, ...args: string[]) {
  const child = spawn(process.execPath, ['tools/local/demo/demo.ts', ...args], {
    env: { ...process.env, OMI_STATE: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, ...output };
}

/** A demo waits for its events for half a minute. */

describe('npm run demo', () => {
  const stack = useExclusiveStack();

  let runs: Awaited<ReturnType<typeof demo>>[];

  beforeAll(async () => {
    runs = [await demo(stack.directory), await demo(stack.directory)];
  });

  test('runs the whole flow, several times in a row', () => {
    for (const { code, out, err } of runs) {
      expect({ code, err }).toEqual({ code: 0, err: '' });
      for (const step of [
        'access token',
        'enrolment',
        'push arrives',
        'confirms',
        'evidence',
        'declines',
        'records two log events',
        'public events arrive',
        'log events',
      ])
        expect(out).toMatch(new RegExp(`^ ?\\d+\\. .*${step}`, 'm'));
      expect(out).toMatch(/All \d+ steps succeeded/);
      for (const type of [
        'UserDeviceRegisteredEvent',
        'PushNotificationSentEvent',
        'PushNotificationConfirmedEvent',
        'PushNotificationDeniedEvent',
        'FormOpenedEvent',
      ])
        expect(out).toMatch(new RegExp(`^ +[\\da-f-]{36} {2}${type}$`, 'm'));
      for (const { streamName, bucket } of stack.file.exports.slice(0, 2))
        expect(out).toContain(streamName ? `stream ${streamName}` : `bucket ${String(bucket)}`);
    }
  });

  test('prints the steps that the README shows, and no secret or token in full', async () => {
    const out = runs.map((run) => run.out).join('');
    const shown = (await readFile('README.md', 'utf8')).match(/^ ?\d+\. [^(\n]+ \(/gm) ?? [];
    expect(shown.length).toBeGreaterThan(3);
    for (const step of shown) expect(out).toContain(`\n${step}`);
    expect(out).not.toContain(stack.file.tenants[0].clientSecret);
    expect(out).not.toMatch(/eyJ[\w-]{20}/);
    expect(out).not.toContain('code=');
  });

  test('reports the step that failed', async () => {
    const fault = { service: 'sns', operation: 'Publish', fault: 'access-denied' } as const;
    const { code, out, err } = await withFault(stack.file, fault, async () => await demo(stack.directory));
    expect(code).toBe(1);
    expect(err).toMatch(/^Step \d+ \(The website sends a push notification\) failed: .+\n$/);
    expect(out).not.toMatch(/steps succeeded/);
  });

  test('fails within half a minute if the events do not arrive', async () => {
    const fault = { service: 'kinesis', operation: 'PutRecords', fault: 'access-denied' } as const;
    const { code, out, err } = await withFault(stack.file, fault, async () => await demo(stack.directory));
    expect(code).toBe(1);
    expect(err).toMatch(/^Step \d+ \(The public events arrive.*\) failed: .*did not arrive within \d+ s\n$/);
    expect(out).not.toMatch(/steps succeeded/);
  });
});

describe('npm run demo with another device', () => {
  const stack = useSharedStack();

  inChromium('--web', () => {
    test('runs the whole flow with the web app', async () => {
      const { code, out, err } = await demo(stack.directory, '--web');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      for (const step of [
        'web app opens the link',
        'web app fetches',
        'confirms; the web app',
        'declines',
        'evidence',
      ])
        expect(out).toMatch(new RegExp(`^ ?\\d+\\. .*${step}`, 'm'));
      expect(out).toContain(`at ${stack.file.appUrl}, in Chromium`);
      expect(out).toMatch(/^ +.+ \(web\), active$/m);
      expect(out).toMatch(/All \d+ steps succeeded/);
      expect(out).not.toContain('code=');
    });
  });

  test('prints a link to the web app with --by-hand, and waits for its user', async () => {
    const env = { ...process.env, OMI_STATE: stack.directory };
    const child = spawn(process.execPath, ['tools/local/demo/demo.ts', '--by-hand'], {
      env,
      stdio: 'pipe',
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (out += chunk.toString()));
    const exited = once(child, 'close');
    const says = async (words: RegExp) =>
      await eventually(String(words), async () => await Promise.resolve(words.exec(out) ?? undefined));
    const [, link = ''] = await says(/^ {2}(https?:\S+)$/m);
    expect(link.startsWith(`${stack.file.appUrl}/enrol#`)).toBe(true);
    const device = new SimulatedDevice();
    await device.enrol(link);
    await says(/Press "Confirm"/);
    await device.confirm(await openChallenge(device));
    await says(/Press "Deny"/);
    await device.deny(await openChallenge(device), 'user_declined');
    expect({ code: (await exited)[0] as unknown, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/All \d+ steps succeeded/),
    });
  });

  test('explains its options', async () => {
    const [help, wrong, both] = [
      await demo(stack.directory, '--help'),
      await demo(stack.directory, '--wep'),
      await demo(stack.directory, '--web', '--by-hand'),
    ];
    expect(help).toMatchObject({ code: 0, out: expect.stringContaining('--by-hand') });
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining("Unknown option '--wep'") });
    expect(both).toMatchObject({ code: 1, err: expect.stringContaining('Choose one of') });
  });
});

describe('npm run demo without a stack', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'omi-demo-'));
  });
  afterAll(async () => await rm(directory, { recursive: true }));

  const expectOneLine = (output: Awaited<ReturnType<typeof demo>>, words: RegExp) => {
    expect(output.code).toBe(1);
    expect(output.err).toMatch(words);
    expect(output.err.trim()).not.toContain('\n');
  };

  test('explains how to start it', async () => {
    expectOneLine(await demo(directory), /npm start/);
  });

  test('reports a stack that has stopped', async () => {
    const gone = spawn(process.execPath, ['--version']);
    await once(gone, 'exit');
    const url = 'http://127.0.0.1:9';
    const tenant = { tenantId: 't', name: 'n', clientId: 'c', clientSecret: 's' };
    const file = {
      baseUrl: url,
      siteUrl: url,
      consoleUrl: url,
      staff: { issuer: url, clientId: 'console', authorizationUrl: url, tokenUrl: url },
      appUrl: url,
      exportsUrl: url,
      docsUrl: url,
      requestsUrl: url,
      tokenUrl: url,
      issuer: url,
      tenants: [tenant, tenant, tenant],
      exports: [],
      aws: {
        region: 'eu-central-1',
        endpoints: Object.fromEntries(Object.keys(services).map((name) => [name, url])),
      },
      pushesUrl: url,
      mailsUrl: url,
      webPushUrl: url,
      faultsUrl: url,
      pid: gone.pid,
    };
    await writeFile(join(directory, 'stack.json'), JSON.stringify(file));
    expectOneLine(await demo(directory), /no longer runs.*npm start/);
    // A process that runs, but does not respond.
    await writeFile(join(directory, 'stack.json'), JSON.stringify({ ...file, pid: process.pid }));
    expectOneLine(await demo(directory), /did not answer/);
    await writeFile(join(directory, 'stack.json'), '{');
    expectOneLine(await demo(directory), /does not describe a local stack/);
  });
});
