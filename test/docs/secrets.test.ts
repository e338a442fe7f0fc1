/** What people are told to type: a secret in an argument is in the shell's history, and in the list of processes for all users. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const places = ['docs', 'pages/exports/src', 'cli', 'packages', 'pages/bank', 'pages/app/src'];

const texts = [
  'README.md',
  ...places.flatMap((place) =>
    readdirSync(place, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(md|tsx?|js|html)$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(place, name)),
  ),
];

const inArgument = /\bcurl\b[^\n]*\s(-u|--user)\b|client_secret=\$|CLIENT=<client id>:<secret>/;

test('no page suggests a command with a secret as an argument', () => {
  expect(texts.length).toBeGreaterThan(200);
  expect(texts.filter((name) => inArgument.test(readFileSync(name, 'utf8')))).toEqual([]);
  expect('curl -s -u "$ID:$SECRET" https://auth.example').toMatch(inArgument);
});
