import { resolve } from 'node:path';
import type { TokenPort } from '../issuer/port.ts';
import { StartError } from './start-error.ts';
import { clientsOfDevelopers } from '../resources/tenants.ts';

/** Readers of files with variables agree on these characters, and need no quotes for them. */
const plainSecret = /^[\w./=-]{8,128}$/;

/**
 * The secret of the clients that developers use, if one is chosen. A shell may have the credentials of another client, such as those of a
 * website in the cloud; they are ignored.
 */
function chosenClientSecret({ OMI_CLIENT_ID, OMI_CLIENT_SECRET }: NodeJS.ProcessEnv): {
  clientSecret?: string;
} {
  const isOfAnother = OMI_CLIENT_ID !== undefined && !clientsOfDevelopers.includes(OMI_CLIENT_ID);
  if (OMI_CLIENT_SECRET === undefined || isOfAnother) return {};
  if (plainSecret.test(OMI_CLIENT_SECRET)) return { clientSecret: OMI_CLIENT_SECRET };
  throw new StartError('OMI_CLIENT_SECRET must have 8 to 128 of these characters: A-Z a-z 0-9 . _ / = -');
}

/** The servers beside the API's, each with the variable of its port, its usual port, and what it serves. */
export const servers = {
  // Always the same one: the keys and passkeys of the app's users belong to its origin.
  appPort: { variable: 'OMI_APP_PORT', usual: 8081, serves: 'the web app' },
  sitePort: { variable: 'OMI_SITE_PORT', usual: 8083, serves: 'the demo bank' },
  exportsPort: { variable: 'OMI_EXPORTS_PORT', usual: 8084, serves: 'the exports page' },
  consolePort: { variable: 'OMI_CONSOLE_PORT', usual: 8085, serves: "the help desk's page" },
  staffPort: { variable: 'OMI_STAFF_PORT', usual: 8086, serves: 'the issuer for the help desk' },
  docsPort: { variable: 'OMI_DOCS_PORT', usual: 8087, serves: 'the docs' },
  requestsPort: { variable: 'OMI_REQUESTS_PORT', usual: 8088, serves: 'the viewer of requests' },
} as const;

/** 0 for any free port. */
type Ports = Record<keyof typeof servers, number>;

export type Settings = Ports & {
  /** The API's port; 0 for any free port. */
  port: number;
  tokenPort: TokenPort;
  /** The secret of the demo's client; without it, one that was made at random and kept. */
  clientSecret?: string;
  /** The API's URL at a TLS proxy or tunnel in front of it. */
  baseUrl?: string;
  /** Base URLs that devices and clients may still name: those of earlier tunnels. */
  formerBaseUrls?: string[];
  /** The web app's origin at a TLS proxy or tunnel in front of it. */
  appUrl?: string;
  /** Holds the stack's description while it runs. */
  directory: string;
  /** Keeps the data; without it they are lost when the stack stops. */
  dataDirectory?: string;
  /** A DynamoDB Local to use; without it one is started. */
  dynamoDbUrl?: string;
  /** The socket of a Kinesis emulator to use; without it one is started. */
  kinesisSocket?: string;
  /** The folder of existing bundles; without it the Lambdas are bundled. */
  bundles?: string;
  /** Whether all Lambdas are loaded at the start, and not each at its first call. */
  isWarm: boolean;
};

const defaultPort = 8080;
/** Always the same one: websites have it in their settings. */
const defaultTokenPort = 8082;
const largestPort = 65_535;

/** Reads the settings from the environment. Empty variables are ignored. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { OMI_STATE, OMI_DATA, OMI_DYNAMODB, OMI_KINESIS, OMI_BUNDLES } = set;
  checkEmulators(set);
  const port = portOf('OMI_PORT', set) ?? defaultPort;
  return {
    port,
    ...portsOf(port, set),
    tokenPort: tokenPortOf(port, set),
    ...chosenClientSecret(set),
    ...publicUrls(set),
    directory: resolve(OMI_STATE ?? '.local'),
    ...(OMI_DATA !== undefined && { dataDirectory: resolve(OMI_DATA) }),
    ...(OMI_DYNAMODB !== undefined && { dynamoDbUrl: OMI_DYNAMODB }),
    ...(OMI_KINESIS !== undefined && { kinesisSocket: resolve(OMI_KINESIS) }),
    ...(OMI_BUNDLES !== undefined && { bundles: resolve(OMI_BUNDLES) }),
    isWarm: isWarm(set),
  };
}

const portsOf = (apiPort: number, environment: NodeJS.ProcessEnv): Ports =>
  Object.fromEntries(
    Object.entries(servers).map(([name, { variable, usual }]) => [
      name,
      portOf(variable, environment) ?? (apiPort === 0 ? 0 : usual),
    ]),
  ) as Ports;

function checkEmulators({ OMI_DATA, OMI_DYNAMODB, OMI_KINESIS }: NodeJS.ProcessEnv): void {
  if (OMI_DATA === undefined) return;
  for (const [name, value] of Object.entries({ OMI_DYNAMODB, OMI_KINESIS }))
    if (value !== undefined)
      throw new StartError(`OMI_DATA and ${name} exclude each other: kept data need their own emulators.`);
}

function tokenPortOf(apiPort: number, environment: NodeJS.ProcessEnv): TokenPort {
  const chosen = portOf('OMI_TOKEN_PORT', environment);
  if (chosen !== undefined) return { port: chosen, isChosen: true };
  return { port: apiPort === 0 ? 0 : defaultTokenPort, isChosen: false };
}

function isWarm({ OMI_WARM = 'yes' }: NodeJS.ProcessEnv): boolean {
  if (OMI_WARM === 'yes' || OMI_WARM === 'no') return OMI_WARM === 'yes';
  throw new StartError(`OMI_WARM must be "yes" or "no", not "${OMI_WARM}".`);
}

function portOf(name: string, { [name]: text }: NodeJS.ProcessEnv): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= largestPort) return Number(text);
  throw new StartError(
    `${name} must be a port number from 0 to ${largestPort} (0 for any free port), not "${text}".`,
  );
}

function publicUrls(environment: NodeJS.ProcessEnv): Pick<Settings, 'baseUrl' | 'formerBaseUrls' | 'appUrl'> {
  const baseUrl = publicUrlOf('OMI_BASE_URL', environment);
  const appUrl = publicUrlOf('OMI_APP_URL', environment);
  const former = environment['OMI_FORMER_BASE_URLS']?.split(',');
  const formerBaseUrls = former?.flatMap(
    (url) => publicUrlOf('OMI_FORMER_BASE_URLS', { OMI_FORMER_BASE_URLS: url }) ?? [],
  );
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(formerBaseUrls && { formerBaseUrls }),
    ...(appUrl !== undefined && { appUrl }),
  };
}

/** `omi env` prints the own address of a stack, which a shell may pass on to the next one. */
const ownAddress = /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?$/;

/** An origin: the paths of the service's calls follow it directly. */
function publicUrlOf(name: string, { [name]: text }: NodeJS.ProcessEnv): string | undefined {
  if (text === undefined || ownAddress.test(text)) return undefined;
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && url.origin === text.replace(/\/$/, '')) return url.origin;
  throw new StartError(
    `${name} must be an https URL without a path, such as https://localhost:8443, not "${text}".`,
  );
}
