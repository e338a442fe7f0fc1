import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ResourceServer } from './http/access-tokens.ts';
import type { Client, Credentials } from './omi/connection.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The process cannot start. The message says what the operator must set. */
export class SettingsError extends Error {}

function needed(env: Variables, name: string): string {
  const value = env[name];
  if (value === undefined || value === '') throw new SettingsError(`Set ${name}.`);
  return value;
}

const credentialsIn = (env: Variables): Credentials =>
  env['OMI_CLIENT_KEY_FILE'] === undefined
    ? { clientSecret: needed(env, 'OMI_CLIENT_SECRET'), tokenUrl: needed(env, 'OMI_TOKEN_URL') }
    : { keyFile: env['OMI_CLIENT_KEY_FILE'] };

export const clientIn = (env: Variables): Client => ({
  baseUrl: needed(env, 'OMI_BASE_URL').replace(/\/$/, ''),
  clientId: needed(env, 'OMI_CLIENT_ID'),
  credentials: credentialsIn(env),
});

/** Over stdio the host names the user. */
export const userIn = (env: Variables): string => needed(env, 'OMI_USER_ID');

function urlIn(env: Variables, name: string): string {
  const value = needed(env, name);
  if (!URL.canParse(value)) throw new SettingsError(`Set ${name} to a URL.`);
  return value;
}

export const resourceServerIn = (env: Variables): ResourceServer => ({
  issuer: urlIn(env, 'OMI_MCP_ISSUER'),
  resource: urlIn(env, 'OMI_MCP_RESOURCE'),
});

/** Each client has a folder of its own, because no other one can fetch the answers to its questions. */
export const stateFolder = ({ baseUrl, clientId }: Client, folder = join(homedir(), '.omi-mcp')): string =>
  join(folder, createHash('sha256').update(`${baseUrl}\n${clientId}`).digest('hex').slice(0, 16));
