import { resolve } from 'node:path';
import { StartError } from './start-error.ts';

export type Settings = {
  /** The API's port; 0 for any free port. */
  port: number;
  /** Holds the stack's description while it runs. */
  directory: string;
  /** Keeps the data; without it they are lost when the stack stops. */
  dataDirectory?: string;
  /** A DynamoDB Local to use; without it one is started. */
  dynamoDbUrl?: string;
  /** The folder of existing bundles; without it the Lambdas are bundled. */
  bundles?: string;
};

const DEFAULT_PORT = 8080;
const LARGEST_PORT = 65_535;

/** Reads the settings from the environment. Empty variables are ignored. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const { OMI_PORT, OMI_STATE, OMI_DATA, OMI_DYNAMODB, OMI_BUNDLES } = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== ''),
  );
  if (OMI_DATA !== undefined && OMI_DYNAMODB !== undefined)
    throw new StartError(
      'OMI_DATA and OMI_DYNAMODB exclude each other: kept data need their own DynamoDB Local.',
    );
  return {
    port: portOf(OMI_PORT),
    directory: resolve(OMI_STATE ?? '.local'),
    ...(OMI_DATA !== undefined && { dataDirectory: resolve(OMI_DATA) }),
    ...(OMI_DYNAMODB !== undefined && { dynamoDbUrl: OMI_DYNAMODB }),
    ...(OMI_BUNDLES !== undefined && { bundles: resolve(OMI_BUNDLES) }),
  };
}

function portOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  if (/^\d{1,5}$/.test(text) && Number(text) <= LARGEST_PORT) return Number(text);
  throw new StartError(
    `OMI_PORT must be a port number from 0 to ${LARGEST_PORT} (0 for any free port), not "${text}".`,
  );
}
