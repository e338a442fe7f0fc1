import { run } from '../../../cli/program.ts';
import type { LocalStack } from './stack.ts';

/**
 * Runs a command of the operator in this process.
 *
 * @returns the texts of its JSON
 */
export async function omi(
  { directory }: Pick<LocalStack, 'directory'>,
  ...args: string[]
): Promise<Record<string, string | undefined>> {
  const said = { out: '', err: '' };
  const code = await run(['--local', '--json', ...args], {
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    environment: { ...process.env, OMI_STATE: directory },
  });
  if (code !== 0) throw new Error(`omi ${args.join(' ')} failed: ${said.err}`);
  return JSON.parse(said.out) as Record<string, string | undefined>;
}
