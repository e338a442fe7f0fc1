import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { failedSuites } from './failed-suites.ts';

const testResults = [
  { name: resolve('test/one.test.ts'), status: 'passed' },
  { name: resolve('test/two.test.ts'), status: 'failed' },
];

test('names the suites that failed', () => {
  expect(failedSuites(JSON.stringify({ wasInterrupted: false, testResults }))).toEqual(['test/two.test.ts']);
});

test('names none of an interrupted run', () => {
  expect(failedSuites(JSON.stringify({ wasInterrupted: true, testResults }))).toEqual([]);
});
