/** `npm run demo`: runs the whole flow once on the running local stack. */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { ClientError } from '../../../client/http.ts';
import { soon, type Patience } from '../../../client/waiting.ts';
import { readStackFile, type StackFile } from '../client/local-stack.ts';
import { StartError } from '../command/start-error.ts';
import type { DemoDevice } from './context.ts';
import { simulatedPhone } from './simulated-phone.ts';
import { StepReporter, StepError } from './step-reporter.ts';
import { walkThrough } from './walkthrough.ts';
import { webApp } from './web-app.ts';

/** The reader's own device: the web app in a browser, or a real phone that reaches the stack. */
function byHand(say: (line: string) => void): DemoDevice {
  const tell = async (line: string): Promise<void> => {
    say(line);
    await Promise.resolve();
  };
  return {
    title: 'your device',
    enrolling: 'opens the link, creates a key pair and enrols',
    enrol: async (qr) =>
      await tell(
        `\nOpen this link in your browser, or scan the QR code above, and follow the web app:\n\n  ${qr}\n`,
      ),
    show: async ({ message }) => await tell(`\nLook at the web app: it asks "${message}"`),
    answer: async (_, decision) => await tell(`Press "${decision === 'confirm' ? 'Confirm' : 'Deny'}".\n`),
    close: async () => {
      await Promise.resolve();
    },
  };
}

const usage = `npm run demo [-- --web | --by-hand]

Runs the whole flow once on the local stack that "npm start" runs, and prints each step.

  --web      with the web app, in a Chromium without a window, in place of the simulated phone
  --by-hand  with you: open the printed link in your browser, or scan it, and confirm in the web app`;

type Kind = 'phone' | 'web' | 'by-hand';

/** @returns undefined if only the usage is wanted */
function readKind(args: string[]): Kind | undefined {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const options = { web: flag, 'by-hand': flag, help: flag };
    const { values } = parseArgs({ args, options });
    if (values.help) return undefined;
    if (values.web && values['by-hand']) throw new ClientError('Choose one of --web and --by-hand.');
    if (values.web) return 'web';
    return values['by-hand'] ? 'by-hand' : 'phone';
  } catch (error) {
    if (error instanceof ClientError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ClientError(`${reason}\n\n${usage}`, { cause: error });
  }
}

const say = (line: string): void => console.log(line);

/** A person first has to find the phone. An enrolment code lives as long. */
const personal: Patience = { everyMs: 500, atMostMs: 600_000 };

async function deviceOf(kind: Kind, { appUrl }: StackFile): Promise<DemoDevice> {
  if (kind === 'web') return await webApp(appUrl, say);
  return kind === 'by-hand' ? byHand(say) : simulatedPhone();
}

async function main(): Promise<void> {
  const kind = readKind(process.argv.slice(2));
  if (kind === undefined) {
    say(usage);
    return;
  }
  const begun = performance.now();
  const stack = await readStackFile(process.env['OMI_STATE'] ?? '.local');
  say(`Using the local stack at ${stack.baseUrl}.\n`);
  const reporter = new StepReporter(say);
  const device = await deviceOf(kind, stack);
  try {
    await walkThrough({ stack, device, patience: kind === 'by-hand' ? personal : soon, reporter });
  } finally {
    await device.close();
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  say(`\nAll ${reporter.steps} steps succeeded in ${seconds} s.`);
}

try {
  await main();
} catch (error) {
  process.exitCode = 1;
  if (!(error instanceof ClientError || error instanceof StepError || error instanceof StartError))
    throw error;
  console.error(error.message);
}
