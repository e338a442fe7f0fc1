/** `npx omi`: the operator's commands. */
import { createInterface } from 'node:readline/promises';
import { run } from '../cli/program.ts';

/** Questions go where progress goes: standard output is for results. */
async function ask(question: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await prompt.question(question);
  } finally {
    prompt.close();
  }
}

/** What ends a program politely: Ctrl-C, a script, a terminal that is closed. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function onInterrupt(listener: () => void): () => void {
  for (const signal of endings) process.on(signal, listener);
  return () => {
    for (const signal of endings) process.off(signal, listener);
  };
}

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // A reader that has enough, as `head` has, is no fault of the command.
  if (code === 'EPIPE') process.exit();
  process.stderr.write(`error: The result could not be written: ${message}\n`);
  process.exit(1);
});
// Progress that nobody reads stops nothing.
process.stderr.on('error', () => undefined);

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  ...(process.stdin.isTTY && { ask }),
  onInterrupt,
  environment: process.env,
});
