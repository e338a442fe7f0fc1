import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { CommandError } from '../command-error.ts';

/** The settings of all stages, and where they were read. */
export type Stages = { stages: unknown; place: string };

/** What `create-omi` makes for an operator. In this repository, the CDK's own file has the settings. */
const operatorsFile = 'omi.config.js';
const cdkFile = 'cdk.json';

const contextOf = v.pipe(v.string(), v.parseJson(), v.object({ context: v.record(v.string(), v.unknown()) }));

/** Reads them in the current folder. @throws {CommandError} if they are not there */
export async function readStages(): Promise<Stages> {
  if (existsSync(operatorsFile)) return { stages: await importStages(), place: operatorsFile };
  const text = await readFile(cdkFile, 'utf8').catch(() => {
    throw new CommandError(
      `There is neither ${operatorsFile} nor ${cdkFile} here.`,
      'Run the command in the folder of the service.',
    );
  });
  const result = v.safeParse(contextOf, text);
  if (!result.success) throw new CommandError(`${cdkFile} is not JSON with a "context".`);
  return { stages: result.output.context['stages'], place: `${cdkFile}, under context.stages` };
}

async function importStages(): Promise<unknown> {
  try {
    const { stages } = (await import(pathToFileURL(resolve(operatorsFile)).href)) as { stages?: unknown };
    return stages;
  } catch (error) {
    throw new CommandError(`${operatorsFile}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
