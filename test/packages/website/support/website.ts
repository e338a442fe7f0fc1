import { expect } from '@jest/globals';
import { Omi, OmiError, type OmiOptions } from '#website';
import type { ScriptedService } from '../../support/scripted-service.ts';
import { json, type Reply } from '../../support/scripted-service.ts';
import { asked, claims, confirmation, omiKeys, pending, receiptFor, type Signed } from './evidence.ts';

/** What the scripted service answers at any time: its keys. */
export const published = { '/.well-known/omi-keys': json(200, omiKeys) };

/** A website of the scripted service, with a token of its own. */
export const websiteOf = ({ url }: ScriptedService, options: Partial<OmiOptions> = {}): Omi =>
  new Omi({ baseUrl: url, token: async () => await Promise.resolve('token-1'), ...options });

export const credentialsOf = ({ url }: ScriptedService) => ({
  baseUrl: url,
  tokenUrl: `${url}/token`,
  clientId: 'client 1',
  clientSecret: 'secret:äß',
});

export const question = { userId: asked.userId, message: asked.message, nonce: asked.nonce };

/** As often as the package polls at most, which a service never asks for. */
export const soon = { interval: 0.5 };
export const waiting = (overrides = {}): Reply => json(200, { ...pending(), ...soon, ...overrides });
export const accepted = (overrides = {}): Reply => json(202, { ...pending(), ...soon, ...overrides });

/** Evidence for this service. */
export const confirmedBy = ({ url }: ScriptedService, signed: Signed = {}): Reply =>
  json(
    200,
    confirmation({ claims: { ...claims, aud: url }, ...signed }, { receipt: receiptFor({ iss: url }) }),
  );

export const ended = (status: string, reason?: string): Reply =>
  json(200, { ...pending(), status, ...(reason !== undefined && { reason }) });

export const nothing = json(204, '');

/** `GET /path` of each request, without the nonce. */
export const callsOf = ({ requests }: ScriptedService): string[] =>
  requests.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`);

export const sendCall = 'POST /omi/push/user/user-1';
export const pollCall = 'GET /omi/push/confirmation';
export const withdrawCall = 'DELETE /omi/push/confirmation';
export const tokenCall = 'POST /token';

export async function errorOf(work: Promise<unknown>): Promise<OmiError> {
  const error = await work.then(
    (value) => new Error(`Expected an error, got ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OmiError);
  return error as OmiError;
}
