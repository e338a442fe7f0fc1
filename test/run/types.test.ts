import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from '@jest/globals';
import { typedPrograms } from './types.ts';

/** It has packages of its own, and is checked with them. */
const OF_ITSELF = 'docs/examples/ai-agent';

test('the types of every folder with settings for the compiler are checked', () => {
  const folders = globSync('**/tsconfig.json', { exclude: ['**/node_modules', '.*'] }).map((file) =>
    dirname(file),
  );
  expect(folders.filter((folder) => folder !== OF_ITSELF).toSorted()).toEqual(typedPrograms.toSorted());
});
