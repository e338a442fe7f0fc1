/**
 * Writes the vectors beside this folder: `node packages/device/vectors/generator/generate.ts`. With `--check` it writes
 * nothing, and fails if a file is not what this program would write.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { enrolment } from './enrolments.ts';
import { evidence } from './evidences.ts';
import { messageHash } from './hashes.ts';
import { enrolmentLink } from './links.ts';
import { deviceName } from './names.ts';
import { pushToken } from './push-tokens.ts';
import { request, unregister } from './requests.ts';
import { response } from './responses.ts';
import { userVerification } from './user-verifications.ts';

const folder = join(import.meta.dirname, '..');

const files: Record<string, () => object> = {
  'enrolment-link': enrolmentLink,
  enrolment,
  request,
  response,
  'user-verification': userVerification,
  'push-token': pushToken,
  'device-name': deviceName,
  unregister,
  'message-hash': messageHash,
  evidence,
};

const isCheck = process.argv.includes('--check');

for (const [name, make] of Object.entries(files)) {
  const path = join(folder, `${name}.json`);
  const text = `${JSON.stringify(make(), null, 2)}\n`;
  if (!isCheck) await writeFile(path, text);
  else if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
    process.exitCode = 1;
    console.error(`${path} is not what its sources say: run npm run docs:generate`);
  }
}
