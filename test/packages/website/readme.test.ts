/** The package's README: its first example runs, and its tables have every status, reason and code. */
import { isKnown } from '../../../packages/website/src/hints.ts';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/waiting.ts';
import { refusals } from '../../../tools/documents/api/refusals.ts';
import { routes } from '../../../lambdas/routes.ts';
import { enrolDevice } from '../../contract/scenario.ts';
import { useSharedStack } from '../../support/use-stack.ts';

const run = promisify(execFile);
const readme = readFileSync('packages/website/README.md', 'utf8');
const source = (file: string): string => readFileSync(`packages/website/src/${file}.ts`, 'utf8');

const sectionOf = (title: string): string =>
  readme.split(/^##+ /m).find((section) => section.startsWith(title)) ?? '';

/** What is in the first cells of a section's tables. */
const firstCells = (title: string): string[] =>
  [...sectionOf(title).matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code),
  );

const quoted = (text: string): string[] => [...text.matchAll(/'([\w-]+)'/g)].map(([, word = '']) => word);

describe('the first example', () => {
  const stack = useSharedStack();

  test('asks a user and waits', async () => {
    const [, example = ''] = /```ts\n(.*?)```/s.exec(sectionOf('Ask a user')) ?? [];
    const folder = await mkdtemp(join(tmpdir(), 'omi-readme-'));
    try {
      const file = join(folder, 'example.mts');
      const website = pathToFileURL('packages/website/src/index.ts').href;
      await writeFile(file, example.replace('@omi/website', website));
      const device = await enrolDevice(stack.website);
      const { baseUrl, tokenUrl, tenants } = stack.file;
      const [{ tenantId, clientId, clientSecret }] = tenants;
      const env = {
        PATH: process.env['PATH'],
        OMI_BASE_URL: baseUrl,
        OMI_TOKEN_URL: tokenUrl,
        OMI_TENANT_ID: tenantId,
        OMI_CLIENT_ID: clientId,
        OMI_CLIENT_SECRET: clientSecret,
      };
      const output = run(process.execPath, [file, device.identity.userId], { env });
      const ask = async () => {
        const answer = await device.challenges();
        return answer.ok ? answer.body.challenges[0] : undefined;
      };
      await device.confirm(await eventually('The challenge', ask));
      expect((await output).stdout).toBe('Paid\n');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('the table of results', () => {
  const section = sectionOf('What the result means');
  const [, statuses = ''] = /\n {6}status: (.*?);/s.exec(source('generated/api')) ?? [];
  const [, reasons = ''] = /\n {6}reason\?:(.*?);/s.exec(source('generated/api')) ?? [];

  test('has every status and every reason', () => {
    const words = [...quoted(statuses), ...quoted(reasons)];
    expect(words.length).toBe(14);
    for (const word of words) expect(section).toContain(`\`${word}\``);
  });
});

describe('the tables of errors', () => {
  const [, hints = ''] = /const hints[^{]*\{(.*?)\n\};/s.exec(source('hints')) ?? [];
  const explained = [...hints.matchAll(/^ {2}'?([a-z_-]+)'?:/gm)].map(([, code = '']) => code);
  const refused = routes
    .filter(({ caller, path }) => caller === 'website' && !/^\/omi\/(events|exports|ssf)/.test(path))
    .flatMap(({ lambda }) => refusals[lambda]);

  test('have every code of the package and of the service, and no other', () => {
    expect(explained.length).toBeGreaterThan(20);
    expect(firstCells('Errors').toSorted()).toEqual(explained.toSorted());
    expect(refused.filter((code) => !isKnown(code))).toEqual([]);
  });

  test('have every check of the evidence, and no other', () => {
    const declared = readFileSync('packages/evidence/src/evidence-error.ts', 'utf8');
    const unions = declared.slice(declared.indexOf('ComparedClaim'));
    const codes = [...unions.matchAll(/[|=] '([\w-]+)'/g)].map(([, code = '']) => code);
    expect(codes.length).toBeGreaterThan(30);
    const cells = firstCells('`verifyEvidence(');
    const listed = cells.slice(cells.indexOf('EvidenceError.code') + 1);
    expect(listed.toSorted()).toEqual(codes.toSorted());
  });
});

test('the table of repetitions has every function', () => {
  const section = sectionOf('Which call is safe to repeat');
  const methods = [...source('omi').matchAll(/^ {2}async (\w+)\(/gm)].map(([, name = '']) => name);
  expect(methods).toHaveLength(19);
  for (const name of methods) expect(section).toContain(`\`${name}\``);
});
