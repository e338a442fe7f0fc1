/** The package's README: its example runs, its table has every error; and the package for Swift has every message. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/waiting.ts';
import { refusals } from '../../../tools/documents/api/refusals.ts';
import { routes } from '../../../lambdas/routes.ts';
import { succeeded } from '../../contract/expectations.ts';
import { newUser, notification, poll, startEnrolment } from '../../contract/scenario.ts';
import { useSharedStack } from '../../support/use-stack.ts';
import { messageFile, messageKinds } from './vectors/vectors.ts';

const readme = readFileSync('packages/device/README.md', 'utf8');

const sectionOf = (title: string): string =>
  readme.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? '';

const codeIn = (section: string, language: string): string =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(section)?.[1] ?? '';

describe('the example', () => {
  const stack = useSharedStack();
  const example = codeIn(sectionOf('Enrol and confirm'), 'ts');
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'omi-readme-'));
  });
  afterAll(async () => await rm(folder, { recursive: true }));

  test('has at most 20 lines', () => {
    expect(example).toContain('@omi/device');
    expect(example.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
  });

  test('enrols and confirms', async () => {
    const source = pathToFileURL('packages/device/src/index.ts').href;
    const file = join(folder, 'example.mts');
    await writeFile(file, example.replace('@omi/device', source));
    const userId = newUser();
    const { qr } = await startEnrolment(stack.website, userId);
    const child = spawn(process.execPath, [file, qr], { stdio: ['ignore', 'pipe', 'pipe'] });
    const exited = once(child, 'close');
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const says = async (words: string) =>
      await eventually(words, async () => await Promise.resolve(output.includes(words) || undefined));
    try {
      await says('Enrolled as');
      const asked = notification();
      succeeded(await stack.website.sendToUser(userId, asked), 202);
      const decided = async () =>
        (await poll(stack.website, asked.nonce)).status === 'confirmed' || undefined;
      await eventually('The confirmation', decided);
      await says(`${asked.message}\nconfirmed\n`);
    } finally {
      child.kill();
      await exited;
    }
  });
});

describe('the table of errors', () => {
  const listed = [...sectionOf('Errors').matchAll(/^\| `([a-z-]+)` \| \S/gm)].map(([, code]) => code);

  test("has every refusal of a device's call", () => {
    const calls = routes.filter(({ caller }) => caller === 'device');
    for (const { lambda } of calls) expect(listed).toEqual(expect.arrayContaining([...refusals[lambda]]));
  });

  test('has every code that the package explains, and otherwise only refusals', () => {
    const source = readFileSync('packages/device/src/device-error.ts', 'utf8');
    const messages = /const messages[^{]*\{(.*?)\n\};/s.exec(source)?.[1] ?? '';
    const explained = [...messages.matchAll(/^ {2}'?([a-z-]+)'?:/gm)].map(([, code]) => code);
    expect(explained.length).toBeGreaterThan(20);
    const refused = routes
      .filter(({ caller }) => caller === 'device')
      .flatMap(({ lambda }) => refusals[lambda]);
    expect(listed.toSorted()).toEqual([...new Set([...explained, ...refused])].toSorted());
  });
});

const swift = 'packages/device-swift/Sources/OmiDevice';
const code = readdirSync(swift)
  .map((name) => readFileSync(`${swift}/${name}`, 'utf8'))
  .join('\n');

describe('the package for Swift, which nothing here compiles,', () => {
  test.each(messageKinds)('has every part of the message "%s"', (kind) => {
    const { call, typ, vectors } = messageFile(kind);
    const [good] = vectors;
    for (const part of call.path.split('{challengeId}')) expect(code).toContain(part);
    const optional = ['model', 'osVersion', 'appVersion'];
    const members = [...Object.keys(good?.header ?? {}), ...Object.keys(good?.claims ?? {})];
    expect(members.length).toBeGreaterThan(7);
    for (const member of members.filter((name) => !optional.includes(name)))
      expect(code).toContain(`"${member}"`);
    expect(code).toContain(`"${typ}"`);
    expect(code).toContain(`"${call.method}"`);
  });

  test.each([
    'user_declined',
    'not_me',
    'number',
    'requestedFrom',
    'requester',
    'typedNumber',
    'confirmedBy',
    '/omi/device/settings',
    '/omi/device/tenants/',
    '/omi/device/enrolments/preview',
    'clock-skew',
    'Retry-After',
    'application/jose',
    'OMI-Device',
    'unregister.',
    'unregister(verify: (',
  ])('contains %s', (word) => expect(code).toContain(word));
});

test('the package for Swift reads the 64 bytes of a signature from its key store', () => {
  expect(code).toContain('.signature(for: data).rawRepresentation');
});
