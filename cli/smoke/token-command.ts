import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CommandError } from '../command-error.ts';

const run = promisify(execFile);

const longestMs = 30_000;

type Wanted = { tenantId: string; scopes: readonly string[] };

/** Runs the operator's own command, which prints a token to its standard output. */
export async function runTokenCommand(command: string, { tenantId, scopes }: Wanted): Promise<string> {
  const env = { ...process.env, OMI_TENANT: tenantId, OMI_SCOPE: scopes.join(' ') };
  const { stdout } = await run('/bin/sh', ['-c', command], { env, timeout: longestMs }).catch(failed);
  const token = stdout.trim();
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return token;
  throw new CommandError('The --token-command did not print a JWT to its standard output.');
}

/** Leaves out the command's output, which may be a secret. */
function failed(cause: { code?: unknown }): never {
  throw new CommandError(
    `The --token-command failed (${String(cause.code)}).`,
    'Run it by hand, with the requested scopes in OMI_SCOPE.',
    { cause },
  );
}
