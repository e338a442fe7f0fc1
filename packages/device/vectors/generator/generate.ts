/**
 * Writes the vectors beside this folder: `node packages/device/vectors/generator/generate.ts`. With `--check` it writes
 * nothing, and fails if a file is not what this program would write.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { enrolment } from './enrolments.ts';
import { evidence } from './evidences.ts';
import { enrolmentLink } from './links.ts';
import { deviceName } from './names.ts';
import { pushToken } from './push-tokens.ts';
import { request, unregister } from './requests.ts';
import { response } from './responses.ts';
import { userVerification } from './user-verifications.ts';
import { identity, plainChallenge, sha256 } from './story.ts';

/** Hashes that a device computes, or that a website recomputes from the evidence. */

const messages: Record<string, string> = {
  'plain text': plainChallenge.message,
  'one character': '?',
  'an emoji with modifiers': 'Pay 16.00 € to Café Zoë 👩🏽‍🍳?',
  'a letter with a combining mark': 'Cafe\u0301',
  'the same letter, precomposed': 'Caf\u00e9',
  'right-to-left text': 'לאשר תשלום של 120 ₪ לחנות הספרים?',
  'quotes, backslashes and markup': 'Rename "C:\\temp" to <b>\'new\' & old</b>/?',
  'blanks at both ends': ' Log in? ',
  'letters beyond the first plane': '𠮷野家 𝒳 🇺🇦',
};

const messageHash = () => ({
  about:
    'messageHash is the base64url SHA-256 of the message in UTF-8: of the text itself, without quotes, never normalized or trimmed.',
  vectors: Object.entries(messages).map(([name, message]) => ({
    name,
    message,
    utf8: Buffer.from(message, 'utf8').toString('hex'),
    messageHash: sha256(message),
  })),
  challengeId: {
    about:
      'challengeId is the base64url SHA-256 of tenant id, line feed and nonce. Only the website and the service know the nonce.',
    tenantId: identity.tenantId,
    nonce: plainChallenge.asked.nonce,
    challengeId: plainChallenge.challengeId,
  },
});

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
