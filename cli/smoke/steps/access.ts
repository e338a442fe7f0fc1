import * as v from 'valibot';
import { exchange } from '../../../client/http.ts';
import { paths } from '../../../client/website-client.ts';
import { CommandError } from '../../command-error.ts';
import type { Scene } from '../scene.ts';
import type { StepDefinition } from '../step-runner.ts';
import type { Website } from './website.ts';

const authorizer =
  'Run "omi doctor". If the settings of the stage have "unauthorizedBy": "gateway" under "api", remove it and deploy. See also the log of the Lambda authorize.';

export const refusesStrangers: StepDefinition = {
  name: 'no-token',
  title: 'The API answers 401 without a token, and to an invalid one',
  limitSeconds: 60,
  hint: authorizer,
};

export const refusesForgeries: StepDefinition = {
  name: 'forged-token',
  title: 'The API answers 401 to a token with a wrong signature or without one',
  limitSeconds: 60,
  hint: authorizer,
};

export const refusesOtherScopes: StepDefinition = {
  name: 'scope',
  title: 'The API answers 403 to a token without the scope',
  limitSeconds: 60,
  hint: 'With --token-command: the token must have only the scopes in OMI_SCOPE.',
};

const anything = v.unknown();

async function expectStatus(
  { deployment, userId }: Scene,
  expected: number,
  { what, token, path = paths.devices(userId) }: { what: string; token?: string; path?: string },
): Promise<void> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { status } = await exchange(
    { method: 'GET', url: `${deployment.baseUrl}${path}`, headers },
    anything,
  );
  if (status !== expected) throw new CommandError(`${what} got ${status}, not ${expected}`);
}

export async function refuseStrangers(scene: Scene): Promise<void> {
  await expectStatus(scene, 401, { what: 'A call without a token' });
  await expectStatus(scene, 401, { what: 'A call with an invalid token', token: 'smoke' });
}

/** Changes a character in the middle: the last one of base64url may hold bits without a meaning. */
function withOtherSignature(token: string): string {
  const at = token.lastIndexOf('.') + 20;
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}

function withoutSignature(token: string): string {
  const [, claims = ''] = token.split('.');
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
  return `${header}.${claims}.`;
}

export async function refuseForgeries(scene: Scene, { client }: Website): Promise<void> {
  const token = await client.accessToken();
  await expectStatus(scene, 401, {
    what: 'A token with a wrong signature',
    token: withOtherSignature(token),
  });
  await expectStatus(scene, 401, { what: 'A token without a signature', token: withoutSignature(token) });
}

/** Calls a route whose scope the token has, and one whose scope it lacks. */
export async function refuseOtherScopes(scene: Scene, { tokenFor }: Website): Promise<void> {
  const token = await tokenFor(['credential:omi:devices:get']);
  await expectStatus(scene, 200, { what: 'A token with the scope', token });
  const path = paths.confirmation('smoke-of-another-scope');
  await expectStatus(scene, 403, { what: 'A token without the scope', token, path });
}
