/** `npm run phone -- '<qr>'`: a simulated phone for trying the API by hand. */
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DeviceError } from '#device';
import { bodyOf, ClientError } from '../../client/http.ts';
import type { Challenge } from '../../client/contract.ts';
import { SimulatedDevice } from '../../client/device/simulated-device.ts';

const usage = `npm run phone -- '<qr>' [--confirm | --deny]

Enrols a simulated phone with the "qr" from POST /omi/enrol/qr, then waits for challenges and asks what to answer.
Stop it with Ctrl-C; its key is then lost.

  --confirm   confirm every challenge without asking
  --deny      decline every challenge without asking`;

const POLL_MS = 1_000;

type Choose = (challenge: Challenge) => Promise<'confirm' | 'deny'>;

/** Asks on the terminal, unless an option decides. The phone stops when its input ends. */
function chooser({ confirm, deny }: { confirm: boolean; deny: boolean }): Choose {
  if (confirm || deny) return () => Promise.resolve(confirm ? 'confirm' : 'deny');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.once('close', () => process.exit(0));
  return async () => ((await terminal.question('  Confirm? [y/N] ')).startsWith('y') ? 'confirm' : 'deny');
}

/** The consequence of a confirmation with a purpose. */
const consequences: Partial<Record<string, string>> = {
  'add-device': 'This allows another device to confirm for you.',
  'remove-device': 'This removes one of your devices.',
};

async function answer(phone: SimulatedDevice, challenge: Challenge, choose: Choose): Promise<void> {
  console.log(`"${challenge.message}" (${Math.round(challenge.expiresInMs / 1000)} s left)`);
  if (challenge.purpose !== undefined)
    console.log(`  ${consequences[challenge.purpose] ?? challenge.purpose}`);
  const result = await phone.answer(challenge, { decision: await choose(challenge) });
  console.log(result.ok ? `  ${result.body.status}` : `  refused: ${result.body.detail ?? result.status}`);
}

async function answerChallenges(phone: SimulatedDevice, choose: Choose): Promise<never> {
  for (;;) {
    const { challenges } = bodyOf(await phone.challenges());
    for (const challenge of challenges) await answer(phone, challenge, choose);
    await sleep(POLL_MS);
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      confirm: { type: 'boolean', default: false },
      deny: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [qr] = positionals;
  if (values.help || qr === undefined) {
    console.log(usage);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  const phone = new SimulatedDevice({ name: 'Simulated phone' });
  const { deviceId, userId } = bodyOf(await phone.enrol(qr));
  console.log(`Enrolled as device ${deviceId} of ${userId}. Waiting for challenges; stop with Ctrl-C.`);
  await answerChallenges(phone, chooser(values));
}

try {
  await main();
} catch (error) {
  process.exitCode = 1;
  const isExpected = error instanceof ClientError || error instanceof DeviceError;
  if (!(isExpected || (error instanceof TypeError && 'code' in error))) throw error;
  console.error(error.message);
}
