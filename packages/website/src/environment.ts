import { required } from './options.ts';
import type { ConnectionOptions, OmiOptions } from './types.ts';

/** Workers have no `process`. */
const { process } = globalThis as { process?: { env: Record<string, string | undefined> } };

/** What is named, but not set, is a fault of the website, and no wish for the environment. */
export const hasConnection = (options: OmiOptions): options is Extract<OmiOptions, ConnectionOptions> =>
  'baseUrl' in options;

/** `next build` loads a website's modules, often where no secrets are, and calls nothing. */
const isOfBuild = (): boolean => process?.env['NEXT_PHASE'] === 'phase-production-build';

const variable = (name: string): string =>
  required(name, process?.env[name] ?? (isOfBuild() ? 'https://not-set.invalid' : undefined));

/**
 * The options by the names of `.local/website.env`.
 *
 * @throws {OmiError} `invalid-options`
 */
export const connectionOfEnvironment = (): ConnectionOptions => ({
  baseUrl: variable('OMI_BASE_URL'),
  tokenUrl: variable('OMI_TOKEN_URL'),
  tenantId: variable('OMI_TENANT_ID'),
  clientId: variable('OMI_CLIENT_ID'),
  clientSecret: variable('OMI_CLIENT_SECRET'),
  // Files of variables have names without a value.
  callbackSecret: [process?.env['OMI_CALLBACK_SECRET'] ?? ''].filter((secret) => secret !== ''),
});
