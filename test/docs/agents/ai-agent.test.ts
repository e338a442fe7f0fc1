import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

/** The tests of the public URLs run it: it needs an issuer with TLS. */
test('the example with the AI SDK has the types of its libraries', async () => {
  const tsc = 'node_modules/@typescript/native/bin/tsc';
  const checked = promisify(execFile)(process.execPath, [tsc, '-p', 'docs/examples/ai-agent']);
  await expect(checked).resolves.toMatchObject({ stdout: '' });
});
