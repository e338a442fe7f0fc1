/** `npm run phone -- '<qr>'`: a simulated phone to answer with, for whoever tries the API by hand. */
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bodyOf, ClientError } from '../../client/http.ts';
import type { Challenge } from '../../client/contract.ts';
import { SimulatedDevice } from '../../client/device/simulated-device.ts';

const usage = `npm run phone -- '<qr>' [--confirm | --deny]

Enrols a simulated phone with the "qr" that POST /omi/enrol/qr answered, then waits for challenges and asks
what to answer. Ctrl-C ends it; its key is gone then.

  --confirm   confirms every challenge without asking
  --deny      declines every challenge without asking`;

const betweenLooks = 1_000;

type Choose = (challenge: Challenge) => Promise<'confirm' | 'deny'>;

/** Without a terminal to ask on, and without an option, a phone that waits for a person would wait for ever. */
function chooser({ confirm, deny }: { confirm: boolean; deny: boolean }): Choose {
  if (confirm || deny) return () => Promise.resolve(confirm ? 'confirm' : 'deny');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.once('close', () => process.exit(0));
  return async () => ((await terminal.question('  Confirm? [y/N] ')).startsWith('y') ? 'confirm' : 'deny');
}

/** What is at stake besides the message. */
const stakes: Partial<Record<string, string>> = {
  'add-device': 'This lets another device confirm for you.',
  'remove-device': 'This removes a device of yours.',
};

async function answer(phone: SimulatedDevice, challenge: Challenge, choose: Choose): Promise<void> {
  console.log(`"${challenge.message}" (${Math.round(challenge.expiresInMs / 1000)} s left)`);
  if (challenge.purpose !== undefined) console.log(`  ${stakes[challenge.purpose] ?? challenge.purpose}`);
  const result = await phone.answer(challenge, { decision: await choose(challenge) });
  console.log(result.ok ? `  ${result.body.status}` : `  refused: ${result.body.detail ?? result.status}`);
}

async function use(phone: SimulatedDevice, choose: Choose): Promise<never> {
  for (;;) {
    const { challenges } = bodyOf(await phone.challenges());
    for (const challenge of challenges) await answer(phone, challenge, choose);
    await sleep(betweenLooks);
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
  console.log(`Enrolled as device ${deviceId} of ${userId}. Waiting for challenges; Ctrl-C ends it.`);
  await use(phone, chooser(values));
}

try {
  await main();
} catch (error) {
  process.exitCode = 1;
  if (!(error instanceof ClientError || (error instanceof TypeError && 'code' in error))) throw error;
  console.error(error.message);
}
