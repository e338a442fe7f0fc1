/** The examples of `omi smoke --help`, each as an operator runs it: a process of its own, against a stage by its name. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { CognitoClient } from '../../../cli/clients/cognito-client.ts';
import { localDeployment } from '../../../cli/deployment/local-client.ts';
import { routeScopes } from '../../../lambdas/routes.ts';
import { useExclusiveStack } from '../../support/use-stack.ts';
import { examplesOf, helpOf, wordsOf } from '../command-lines.ts';
import { serveControlPlane } from '../control-plane.ts';
import { applicationsOf, outputsOf, runProgram } from '../deployed-stage.ts';
import { jsonOn } from '../omi.ts';
import { type PoolTokens, servePoolTokens } from './pool-tokens.ts';
import { type StreamPolicies, TenantAccount } from '../tenant-account.ts';

const stack = useExclusiveStack();

/** The roles of the local Lambdas have the name of this stage, and tenants' roles trust the roles of the stage. */
const stageName = 'local';
process.env['OMI_STAGE'] = stageName;

type Replace = (word: string) => string;

const lines = examplesOf(helpOf(['smoke']));
const exampleWith = (option: string): string[] => wordsOf(lines.find((line) => line.includes(option)) ?? '');

test('the examples are for a named stage, the local stack, a given stream and tokens by a command', () => {
  expect(lines.map((line) => /--(stage|local|stream-arn|token-command)/.exec(line)?.[1])).toEqual([
    'stage',
    'local',
    'stream-arn',
    'token-command',
  ]);
});

test('the examples for a deployed stage pass', async () => {
  const pool = await servePoolTokens(stack.file.tokenUrl);
  const [stage, ownIssuer] = await Promise.all([serveStage(pool), serveStage()]);
  const directory = await mkdtemp(join(tmpdir(), 'omi-smoke-'));
  const setUps: [example: string[], replace: Replace, controlPlane: string][] = [
    [exampleWith('--stage'), (word) => (word === 'production' ? stageName : word), stage.url],
    [exampleWith('--stream-arn'), await setUpStream(), stage.url],
    [exampleWith('--token-command'), await issueTokens(directory), ownIssuer.url],
  ];
  try {
    const answers = await Promise.all(
      setUps.map(
        async ([example, replace, controlPlane]) =>
          await runProgram(stack, example.map(replace), { controlPlane, directory }),
      ),
    );
    const done = { code: 0, err: '' };
    expect(answers.map(({ code, err }) => ({ code, err: code === 0 ? '' : err }))).toEqual([
      done,
      done,
      done,
    ]);
  } finally {
    await Promise.all([stage.close(), ownIssuer.close(), pool.close(), rm(directory, { recursive: true })]);
  }
});

/** @param pool where the tokens of the stage's user pool are; without it the stage has an issuer of its own */
async function serveStage(pool?: PoolTokens) {
  const { UserPoolId = '', ...outputs } = await outputsOf(stack);
  return await serveControlPlane({
    name: `omi-${stageName}`,
    outputs: { ...outputs, ...(pool && { UserPoolId, TokenUrl: pool.url }) },
    mappings: {},
    alarms: [],
    deletedAlarms: [],
    applications: applicationsOf('fcm'),
  });
}

/** Puts the example's `get-token.sh` into a directory, with a client that no tenant has. @returns what replaces the example's client */
async function issueTokens(directory: string): Promise<Replace> {
  const { clients } = await localDeployment({ OMI_STATE: stack.directory });
  const pool = new CognitoClient(clients.cognito, 'local');
  const { clientId, clientSecret } = await pool.create('issuer of the own', routeScopes);
  clients.close();
  const script = `#!/bin/sh
curl -s -u ${clientId}:${clientSecret} -d grant_type=client_credentials --data-urlencode "scope=$OMI_SCOPE" ${stack.file.tokenUrl} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'
`;
  await writeFile(join(directory, 'get-token.sh'), script, { mode: 0o755 });
  return (word) => (word === 'smoke-tests' ? clientId : word);
}

/** The stream and the role of the example, in the operator's account. @returns what replaces the example's ARNs */
async function setUpStream(): Promise<Replace> {
  const account = new TenantAccount(stack, '111122223333');
  await account.createStream('smoke');
  const { policies } = await jsonOn(stack)<{ policies: StreamPolicies }>(
    ...['target', 'policies', stack.file.tenants[0].tenantId, '--stream-arn', account.streamArn('smoke')],
    ...['--external-id', 'k7Qm2xV9sLr4tWp8', '--role-name', 'smoke'],
  );
  await account.createRole('smoke', policies);
  return (word) => word;
}
