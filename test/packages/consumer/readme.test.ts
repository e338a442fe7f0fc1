/** The package's README: its tables have every code, every mapping and every option. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { OCSF_VERSION } from '#consumer';
import { ownLogTypes } from '../../../core/events/own-events.ts';
import { currentCatalogue } from '../../../core/events/schemas/published.ts';
import { schema } from './ocsf/published-schema.ts';

const readme = readFileSync('packages/consumer/README.md', 'utf8');
const source = (file: string): string => readFileSync(`packages/consumer/src/${file}.ts`, 'utf8');
const sectionOf = (title: string): string =>
  readme.split(/^##+ /m).find((section) => section.startsWith(title)) ?? '';
const firstCells = (title: string): string[] =>
  [...sectionOf(title).matchAll(/^\| `([^`]+)`/gm)].map(([, cell = '']) => cell);

describe('the tables', () => {
  test('have every code of an error', () => {
    const [, union = ''] = /ConsumerErrorCode =(.*?);/s.exec(source('consumer-error')) ?? [];
    const codes = [...union.matchAll(/'([a-z-]+)'/g)].map(([, code = '']) => code);
    expect(codes.length).toBeGreaterThan(5);
    expect(firstCells('Errors').filter((cell) => cell !== 'code')).toEqual(codes);
  });

  test('have every type of the service with its OCSF class', () => {
    const types = new Set([...currentCatalogue().payloads.map(({ name }) => name), ...ownLogTypes]);
    expect(firstCells('`toOcsf(').toSorted()).toEqual([...types].sort());
  });

  test('name the version and the commit of OCSF that the tests check', () => {
    const section = sectionOf('`toOcsf(');
    expect(section).toContain(`version ${OCSF_VERSION}`);
    const [, commit = ''] = /at ([0-9a-f]{7})/.exec(JSON.stringify(schema)) ?? [];
    expect(section).toContain(`commit \`${commit}\``);
  });

  test('have every member of the result of a reconciliation', () => {
    const [, members = ''] = /type Reconciliation = \{(.*?)\};/s.exec(source('exports/reconcile')) ?? [];
    const names = [...members.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name);
    expect(names.length).toBe(6);
    for (const name of names) expect(sectionOf('`new Exports(')).toContain(`\`${name}\``);
  });
});

test('every function and class is described', () => {
  const exported = [...source('index').matchAll(/^ {2}(\w+),$|\{ ([a-z]\w*)/gm)].flatMap(
    ([, alone = '', first = '']) => [alone, first].filter((name) => name !== '' && name !== 'type'),
  );
  expect(exported.length).toBeGreaterThan(7);
  for (const name of exported) expect(readme).toContain(name);
});

test('every link leads to an existing file', () => {
  const links = [...readme.matchAll(/\]\((\.\.[^)#]+)\)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !existsSync(join('packages/consumer', link)))).toEqual([]);
});
