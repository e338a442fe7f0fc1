import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What the suites of a run have in common: the URL of a DynamoDB Local in which each access key id is a database of its
 * own, the
 * socket of a Kinesis emulator in which each account has its own streams, the folder of the Lambdas' bundles and the web app, the folder of a running stack, and the programs of browsers.
 */
export type RunService =
  | 'dynamodb'
  | 'kinesis'
  | 'bundles'
  | 'stack'
  | 'chromium'
  | 'firefox'
  | 'chromium-server';

/** Which modules are in the Lambdas' bundles, in the folder of the bundles. */
export const metafileIn = (bundles: string): string => join(bundles, 'metafile.json');

/** Where jest's main process hands them out (`global-setup.ts`). */
export const runServicesVariable = 'OMI_TEST_SERVICES';

/** The folder of the run, which is gone when the run ends. */
export const runFolderVariable = 'OMI_TEST_FOLDER';

// Before a test puts its own in its place.
const { fetch } = globalThis;

/** The first to ask has it made, so that a run of other tests does not wait for it. */
export const sharedOfRun = async (service: RunService): Promise<string> => await ask(service);

/** For a local AWS in this process. */
export async function sharedEmulators(): Promise<{ dynamoDbUrl: string; kinesisSocket: string }> {
  const [dynamoDbUrl, kinesisSocket] = await Promise.all([sharedOfRun('dynamodb'), sharedOfRun('kinesis')]);
  return { dynamoDbUrl, kinesisSocket };
}

/** For the environment of a local stack in a process of its own. */
export async function emulatorSettings(): Promise<{ OMI_DYNAMODB: string; OMI_KINESIS: string }> {
  const { dynamoDbUrl, kinesisSocket } = await sharedEmulators();
  return { OMI_DYNAMODB: dynamoDbUrl, OMI_KINESIS: kinesisSocket };
}

/** The folder of a running stack that no other file uses until it is given back. */
export const borrowStack = async (untouched?: Untouched): Promise<string> =>
  await ask(`pool/borrow?${new URLSearchParams({ ...(untouched && { untouched }) }).toString()}`);

export const giveStackBack = async (directory: string): Promise<string> =>
  await ask(`pool/give-back?${new URLSearchParams({ directory }).toString()}`);

/** For what has no better end than that of the run. */
export const newFolderOfRun = (prefix: string): string => mkdtempSync(join(told(runFolderVariable), prefix));

async function ask(path: string): Promise<string> {
  const response = await fetch(`${told(runServicesVariable)}/${path}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} failed: ${text}`);
  return text;
}

function told(variable: string): string {
  const value = process.env[variable];
  if (value === undefined)
    throw new Error('Run the tests through jest.config.js, which starts what they share');
  return value;
}

/** What a file wants to find as a stack has it at its start: the accounts of the demo bank, or everything. */
export type Untouched = 'bank' | 'everything';
