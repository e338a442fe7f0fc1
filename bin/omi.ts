/** `npx omi`: the operator's commands. */
import { createInterface } from 'node:readline/promises';
import { run } from '../cli/program.ts';

/** Asks on standard error, because standard output is for results. */
async function ask(question: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await prompt.question(question);
  } finally {
    prompt.close();
  }
}

/** Signals that ask a program to end: Ctrl-C, a script, a closed terminal. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function onInterrupt(listener: () => void): () => void {
  for (const signal of endings) process.on(signal, listener);
  return () => {
    for (const signal of endings) process.off(signal, listener);
  };
}

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // A reader may stop early, as `head` does. That is not an error.
  if (code === 'EPIPE') process.exit();
  process.stderr.write(`error: The result could not be written: ${message}\n`);
  process.exit(1);
});
// The command continues if nobody reads its progress.
process.stderr.on('error', () => undefined);

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  ...(process.stdin.isTTY && { ask }),
  onInterrupt,
  environment: process.env,
});
