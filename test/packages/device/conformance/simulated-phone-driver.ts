/** A driver of the simulated phone (`npm run phone`), which begins each command as at a new start, from its file. */
import { Console } from 'node:console';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Device, DeviceError, preview, readContext, scan, type Challenge } from '#device';
import { ClientError } from '../../../../tools/client/http.ts';
import { KeyFile } from '../../../../tools/local/phone/key-file.ts';
import { enrol } from '../../../../tools/local/phone/kept-phone.ts';

type Given = Record<string, string>;

// What the phone says is for a terminal; standard output is for answers.
globalThis.console = new Console(process.stderr);

const folder = mkdtempSync(join(tmpdir(), 'omi-phones-'));
const shown = new Map<string, Challenge>();
let patienceMs = 0;

const fileOf = ({ device }: Given): KeyFile => new KeyFile(join(folder, `${device ?? ''}.json`));

async function phoneOf(given: Given): Promise<Device> {
  const file = fileOf(given);
  if (!file.exists()) throw new DeviceError('unknown-device');
  return new Device({ ...(await file.load()), patienceMs });
}

const commands: Record<string, (given: Given) => Promise<object>> = {
  hello: async (given) => {
    patienceMs = Number(given['patienceMs']);
    return await Promise.resolve({
      name: 'simulated phone',
      can: ['number', 'details', 'push-token'],
      patienceMs,
    });
  },
  preview: async ({ link = '' }) => await preview(scan(link)),
  enrol: async ({ link = '', ...given }) =>
    (await enrol(link, { name: 'Phone', keyFile: fileOf(given).path })).identity,
  challenges: async (given) => {
    const challenges = await (await phoneOf(given)).challenges();
    for (const challenge of challenges) shown.set(challenge.challengeId, challenge);
    return { challenges: challenges.map((one) => ({ ...one, context: readContext(one.context) })) };
  },
  answer: async ({ challengeId = '', decision, reason, number, ...given }) => {
    const challenge = shown.get(challengeId);
    if (!challenge) throw new DeviceError('challenge-not-found');
    const phone = await phoneOf(given);
    if (decision === 'confirm') return await phone.answer(challenge, { decision, ...(number && { number }) });
    return await phone.answer(challenge, { decision: 'deny', ...(reason === 'not_me' && { reason }) });
  },
  refresh: async ({ pushToken = '', ...given }) => {
    await (await phoneOf(given)).refreshPushToken({ pushToken });
    return {};
  },
  unregister: async (given) => {
    await (await phoneOf(given)).unregister();
    await fileOf(given).remove();
    return {};
  },
  lose: async (given) => {
    await fileOf(given).remove();
    return {};
  },
};

/** The phone explains a failure in words; its cause has the code. */
function codeOf(error: unknown): string {
  if (error instanceof DeviceError) return error.code;
  if (error instanceof ClientError && error.cause instanceof DeviceError) return error.cause.code;
  throw error;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { do: name = '', ...given } = JSON.parse(line) as Given;
  const answer = await commands[name]?.(given).then(
    (result) => ({ result }),
    (error: unknown) => ({ error: { code: codeOf(error) } }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await rm(folder, { recursive: true });
