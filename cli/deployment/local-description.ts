import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { type TableName, tables } from '../../core/aws/tables.ts';
import { CommandError } from '../command-error.ts';

const tableNames = Object.keys(tables) as TableName[];

const tenant = v.object({
  tenantId: v.string(),
  clientId: v.string(),
  clientSecret: v.string(),
});

/** What a running local stack writes about itself into `stack.json`; the first tenant is the demo's. */
const description = v.object({
  baseUrl: v.string(),
  formerBaseUrls: v.optional(v.array(v.string()), []),
  siteUrl: v.optional(v.string()),
  appUrl: v.optional(v.string()),
  exportsUrl: v.optional(v.string()),
  consoleUrl: v.optional(v.string()),
  tokenUrl: v.string(),
  issuer: v.string(),
  tenants: v.tupleWithRest([tenant], tenant),
  aws: v.object({ region: v.string(), endpoints: v.record(v.string(), v.string()) }),
  tables: v.object(v.entriesFromList(tableNames, v.string())),
  pid: v.pipe(v.number(), v.integer(), v.minValue(1)),
});

export type LocalDescription = v.InferOutput<typeof description>;

const startIt = 'Start it with "npm start", and wait until it says that it is ready.';

/** Where a local stack keeps its files. An empty variable counts as missing, as for "npm start". */
export const localFolder = ({ OMI_STATE = '' }: NodeJS.ProcessEnv): string =>
  OMI_STATE === '' ? '.local' : OMI_STATE;

/** @throws {CommandError} if no local stack is running */
export async function readLocalDescription(environment: NodeJS.ProcessEnv): Promise<LocalDescription> {
  const folder = localFolder(environment);
  const file = join(resolve(folder), 'stack.json');
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw unreadable(folder, file, cause);
  });
  const described = parse(text, file);
  if (isRunning(described.pid)) return described;
  throw new CommandError(
    `No local stack is running: ${file} is left from a stack that ended (process ${described.pid}).`,
    startIt,
  );
}

function parse(text: string, file: string): LocalDescription {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), description), text);
  if (result.success) return result.output;
  const faults = result.issues.map(({ message }) => message.replaceAll(/\s+/g, ' ')).join('; ');
  throw new CommandError(`${file} does not describe a local stack: ${faults}.`, startIt);
}

function unreadable(folder: string, file: string, cause: unknown): CommandError {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT')
    return new CommandError(`No local stack is running: there is no ${file}.`, startIt, { cause });
  if (code === 'ENOTDIR')
    return new CommandError(
      `OMI_STATE must name the folder in which a local stack describes itself; ${folder} is not a folder.`,
      undefined,
      { cause },
    );
  return new CommandError(`${file} cannot be read: ${code ?? String(cause)}.`, undefined, { cause });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user is running, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
