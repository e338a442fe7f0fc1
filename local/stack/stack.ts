import { join } from 'node:path';
import { bundledLambdas, bundleLambdas } from '../../bundling/bundle.ts';
import { recoveryScope, scopes } from '../../lambdas/routes.ts';
import { type Api, startApi } from '../gateway/api.ts';
import { type LocalCloud, startLocalCloud } from '../aws/cloud.ts';
import { openClientRegistry } from '../aws/stand-ins/cognito/client-registry.ts';
import { type Control, startControl } from '../aws/control.ts';
import { startEventSources } from '../event-sources/start.ts';
import { type Issuer, startIssuer } from '../issuer/issuer.ts';
import { onRememberedPort } from '../issuer/port.ts';
import { ensureJava } from '../java/install.ts';
import { lambdaEnvironments } from '../lambda/environments.ts';
import { createLambdas } from '../lambda/lambdas.ts';
import { assignRoles } from '../lambda/roles.ts';
import { createParts, type Parts } from './parts.ts';
import { loadSecrets, type Secrets } from '../issuer/secrets.ts';
import { seed, type Seeded } from '../seed/seed.ts';
import { readyExports } from '../seed/ready-exports.ts';
import type { StackDescription } from './stack-file.ts';
import { localTables } from '../resources/tables.ts';
import { localTenants } from '../resources/tenants.ts';

export type StackOptions = {
  /** Of the API; 0 is any free one. */
  port: number;
  /** For what the stack writes while it runs: the bundles and the Lambdas' log. It must exist. */
  directory: string;
  /** Where the data are kept; without it they are gone at the end. */
  dataDirectory?: string;
  log: (line: string) => void;
};

export type Stack = {
  description: StackDescription;
  /** Resolves with what happened when an emulator ends by itself: the stack is of no use then. */
  crashed: Promise<string>;
  /** Loads the Lambdas before their first calls. */
  warm: () => Promise<void>;
  close: () => Promise<void>;
};

/** Where the local stack's QRs lead; no app answers there. */
const APP_LINK = 'https://app.omi.example';

/** Everything on loopback, ready for the first call. A start that fails leaves nothing running. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const parts = createParts();
  try {
    // First, since its port is the only one that may be taken, and since everything else needs its address.
    const api = await parts.add(startApi(options.port));
    return await startBehind(api, options, parts);
  } catch (error) {
    await parts.close();
    throw error;
  }
}

async function startBehind(api: Api, options: StackOptions, parts: Parts): Promise<Stack> {
  const { directory, dataDirectory, log } = options;
  const bundles = join(directory, 'lambdas');
  const [aws, tokens] = await Promise.all([
    timed(log, 'AWS emulators, with tables, queues, tenants and push platforms', startAws(options, parts)),
    timed(log, 'token issuer', startTokens(api.url, options, parts)),
    timed(log, `${bundledLambdas().length} Lambdas bundled`, bundleLambdas(bundles)),
  ]);
  const { cloud, applications, queues } = aws;
  const resources = {
    baseUrl: api.url,
    issuer: tokens.issuer.issuer,
    appLink: APP_LINK,
    tables: localTables,
    applications,
    queues,
  };
  const environments = lambdaEnvironments(resources);
  assignRoles(cloud.sessions, Object.keys(environments));
  const lambdas = createLambdas({
    bundles,
    environments,
    aws: cloud,
    logFile: join(directory, 'lambda.log'),
  });
  await parts.add(Promise.resolve(lambdas));
  await parts.add(Promise.resolve(startEventSources({ aws: cloud, queues, lambdas, dataDirectory, log })));
  api.open(lambdas);
  const exports = await timed(log, 'targets of the exports active', readyExports(cloud));
  return {
    description: { ...describe(api, aws, tokens), exports },
    crashed: cloud.crashed,
    warm: async () => await lambdas.warm(),
    close: async () => await parts.close(),
  };
}

type Aws = Seeded & { cloud: LocalCloud; control: Control };

async function startAws({ dataDirectory, log }: StackOptions, parts: Parts): Promise<Aws> {
  await ensureJava(log);
  const cloud = await parts.add(startLocalCloud({ log, ...(dataDirectory && { dataDirectory }) }));
  const [control, seeded] = await Promise.all([parts.add(startControl(cloud)), seed(cloud)]);
  return { cloud, control, ...seeded };
}

type Tokens = { issuer: Issuer; secrets: Secrets };

async function startTokens(audience: string, options: StackOptions, parts: Parts): Promise<Tokens> {
  const { dataDirectory, log } = options;
  const secrets = await loadSecrets(dataDirectory);
  const { clientSecrets, signingKey } = secrets;
  const clients = Object.entries(clientSecrets).map(([clientId, clientSecret]) => ({
    clientId,
    clientSecret,
  }));
  const added = openClientRegistry(dataDirectory && join(dataDirectory, 'clients.json'));
  const start = async (port: number): Promise<Issuer> =>
    await startIssuer({
      port,
      audience,
      clients,
      added,
      scopes,
      scopesByName: [recoveryScope],
      signingKey,
      log,
    });
  return { issuer: await parts.add(onRememberedPort(dataDirectory, start)), secrets };
}

function describe(
  api: Api,
  { cloud, control }: Aws,
  { issuer, secrets }: Tokens,
): Omit<StackDescription, 'exports'> {
  const { region, endpoints } = cloud;
  return {
    baseUrl: api.url,
    tokenUrl: issuer.tokenUrl,
    issuer: issuer.issuer,
    tenants: localTenants.map((tenant) => ({
      ...tenant,
      clientSecret: secrets.clientSecrets[tenant.clientId] ?? '',
    })),
    aws: { region, endpoints },
    pushesUrl: control.pushesUrl,
    faultsUrl: control.faultsUrl,
    pid: process.pid,
  };
}

async function timed<Result>(log: StackOptions['log'], what: string, work: Promise<Result>): Promise<Result> {
  const begun = performance.now();
  const result = await work;
  log(`${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s  ${what}`);
  return result;
}
