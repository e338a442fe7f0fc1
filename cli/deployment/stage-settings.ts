import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { CommandError } from '../command-error.ts';

const contextOf = v.pipe(v.string(), v.parseJson(), v.object({ context: v.record(v.string(), v.unknown()) }));

/** The settings of all stages, in `cdk.json` of the current folder. @throws {CommandError} if they are not there */
export async function readStages(): Promise<unknown> {
  const text = await readFile('cdk.json', 'utf8').catch(() => {
    throw new CommandError(
      'There is no cdk.json here.',
      'Run the command in the folder of the stages, which "npx @omi/cdk init" makes.',
    );
  });
  const result = v.safeParse(contextOf, text);
  if (!result.success) throw new CommandError('cdk.json is not JSON with a "context".');
  return result.output.context['stages'];
}
