/** The command as its page describes it, with the driver of the page. */
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json as readJson } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DOMParser } from '@xmldom/xmldom';
import type { Command } from '../../../../packages/device/conformance/driver.ts';
import { useSharedStack } from '../../../support/use-stack.ts';
import { Phone } from './phone.ts';
import { conformance, expectConformance, onStack, reportIn } from './run-conformance.ts';
import { longestProgramMs } from '../../../support/waiting.ts';

const page = readFileSync('packages/device/CONFORMANCE.md', 'utf8');
const example = /^```js\n(.*?)^```/ms.exec(page)?.[1] ?? '';
const stack = useSharedStack();
let folder = '';
let driver = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'omi-conformance-'));
  const source = pathToFileURL('packages/device/src/index.ts').href;
  const file = join(folder, 'driver.mjs');
  await writeFile(file, example.replace('@omi/device', source));
  driver = `${process.execPath} ${file}`;
});
afterAll(async () => await rm(folder, { recursive: true }));

/** A driver in one line, for what a driver may do wrong. */
const program = (code: string): string => `${process.execPath} -e "${code}"`;
const quick = ['--only', 'confirm', '--patience', '60000'];

describe('a phone with a passkey, by a hook,', () => {
  const phone = new Phone();
  let server: Server;
  let url = '';
  beforeAll(async () => {
    server = createServer((request, response) => {
      void readJson(request)
        .then(async (command) => await phone.send(command as Command, 60_000))
        .then((outcome) => response.end(JSON.stringify(outcome)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test(
    'passes every check',
    async () => {
      const [args, env] = await onStack(stack);
      expectConformance(await conformance(['--driver', url, '--report', 'json', ...args], env));
    },
    longestProgramMs,
  );

  test('has a report for people, for build servers and for programs', async () => {
    const of = async (form: string) => await conformance(['--driver', url, '--report', form, ...quick]);
    const text = await of('text');
    expect(text).toMatchObject({ code: 0, err: 'passed   confirm\n' });
    expect(text.out).toMatch(/^a phone, which can do: number, details, push-token, passkey\n/);
    expect(text.out).toMatch(
      /\n {2}passed {3}confirm: confirms, with .*\n\n1 passed, 0 failed, 0 skipped\.\n$/,
    );
    expect(reportIn(await of('json'))).toMatchObject({ passed: 1, failed: 0, findings: [{ id: 'confirm' }] });
    const junit = new DOMParser().parseFromString((await of('junit')).out, 'text/xml');
    expect(junit.getElementsByTagName('testcase')[0]?.getAttribute('name')).toMatch(/^confirm: /);
  });

  test('has its report in a file', async () => {
    const file = join(folder, 'report.xml');
    const ended = await conformance(['--driver', url, '--report', 'junit', '--output', file, ...quick]);
    expect(ended).toMatchObject({ code: 0, out: '' });
    expect(await readFile(file, 'utf8')).toContain('<testsuite name="A service that misbehaves" tests="1"');
  });
});

describe('a driver', () => {
  test('of a device that fails makes the exit code 1, and its words no markup', async () => {
    const refuses = program(
      "require('readline').createInterface({input:process.stdin}).on('line',(l)=>console.log(JSON.stringify(JSON.parse(l).do==='hello'?{result:{name:'<b>',can:[]}}:{error:{code:'\\u0000<&'}})))",
    );
    const { code, out } = await conformance(['--driver', refuses, '--report', 'junit', ...quick]);
    expect(code).toBe(1);
    const junit = new DOMParser().parseFromString(out, 'text/xml');
    expect(junit.documentElement?.getAttribute('name')).toBe('<b>');
    expect(junit.getElementsByTagName('failure')[0]?.getAttribute('message')).toContain('?<&');
  });

  test.each([
    ['ends', 'process.exit(3)', 'The driver has ended at the command "hello".'],
    [
      'does not write JSON',
      "console.log('hello')",
      'The driver must answer one line of JSON. It wrote: hello',
    ],
    ['does not say what it can do', 'console.log(\'{\\"result\\":{}}\')', 'The result of "hello" is {'],
    ['writes neither a result nor an error', "console.log('{}')", 'must answer "result" or "error"'],
  ])('that %s makes the exit code 2', async (_, code, words) => {
    const ended = await conformance(['--driver', program(code), ...quick]);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toContain(words);
  });

  test('that nobody serves makes the exit code 2', async () => {
    const { code, err } = await conformance(['--driver', 'http://127.0.0.1:9/', ...quick]);
    expect([code, err]).toEqual([2, 'http://127.0.0.1:9/ did not answer the command "hello".\n']);
  });

  test('is not called a success if no check was chosen', async () => {
    const { code, err } = await conformance(['--driver', driver, '--only', 'conform,x']);
    expect([code, err]).toEqual([2, 'No check has an id that begins with conform or x.\n']);
  });

  test('that hangs is ended, started again and greeted', async () => {
    const hangs = program(
      'require(\'readline\').createInterface({input:process.stdin}).on(\'line\',(l)=>{if(JSON.parse(l).do===\'hello\')console.log(\'{\\"result\\":{\\"name\\":\\"slow\\",\\"can\\":[],\\"patienceMs\\":1}}\')})',
    );
    const only = ['--only', 'preview-refused,confirm', '--report', 'json'];
    const { findings } = reportIn(await conformance(['--driver', hangs, ...only]));
    expect(findings.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^The command "preview" has not ended after \d/),
      expect.stringMatching(/^The command "enrol" has not ended after \d/),
    ]);
  });
});

describe('the command line', () => {
  test('has help, with every option of the page', async () => {
    const { code, out } = await conformance(['--help']);
    expect(code).toBe(0);
    const options = [...page.matchAll(/^\| (`--.*?) \|/gm)].flatMap(
      ([, cell = '']) => cell.match(/--[a-z]+/g) ?? [],
    );
    expect(options.length).toBeGreaterThan(7);
    for (const option of options) expect(out).toContain(`  ${option} `);
  });

  test.each([
    [[], 'Name the implementation by --driver.'],
    [['--driver', ''], 'Name the implementation by --driver.'],
    [['--driver', 'x', '--report', 'html'], '--report takes text, junit, json, not "html".'],
    [['--driver', 'x', '--ask'], '--ask needs --link.'],
    [['--driver', 'x', '--patience', '1'], '--patience takes a whole number from 100 to 60000, not "1".'],
    [['--driver', 'x', '--port', 'x'], '--port takes a whole number from 1 to 65535, not "x".'],
    [['--driver', 'x', '--link', 'https://bank.example'], '--link takes the "qr" of POST /omi/enrol/qr'],
    [['--driver', 'x', '--other'], "Unknown option '--other'"],
    [['more', '--driver', 'x'], 'Expected the command "conformance".'],
  ])('refuses %j, and says what it expects', async (args, words) => {
    const ended = await conformance(args);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toContain(words);
  });

  test('names the variables of the website that are missing', async () => {
    const [args, env] = await onStack(stack);
    const without = { ...env, OMI_CLIENT_SECRET: '', OMI_TOKEN_URL: '' };
    const { code, err } = await conformance(['--driver', driver, ...args], without);
    expect([code, err]).toEqual([2, '--ask needs OMI_TOKEN_URL, OMI_CLIENT_SECRET in the environment.\n']);
  });
});
