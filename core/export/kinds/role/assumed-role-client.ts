import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { AwsCredentialIdentity } from '@smithy/types';
import { CredentialsUnavailable } from './role-faults.ts';
import { minutes, seconds } from '../../../kernel/time.ts';

/** A tenant's role, and the only resource that the service uses it for. */
export type TenantRole = {
  roleArn: string;
  externalId: string;
  resourceArn: string;
  /** The most that a session may do, whatever the role allows. */
  sessionPolicy: (resourceArn: string) => string;
};

export const stsClient = (): STSClient =>
  new STSClient({
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: 1_000,
      requestTimeout: 2_000,
      throwOnRequestTimeout: true,
    }),
  });

/** With role chaining a session lasts an hour at most. A request for more fails. */
const lifetimeMs = 60 * minutes;
const refreshBefore = 5 * minutes;

/** One session and one client serve one role, external id and resource. */
export const keyOf = ({ roleArn, externalId, resourceArn }: TenantRole): string =>
  [roleArn, externalId, resourceArn].join(' ');

type Session = { credentials: AwsCredentialIdentity; expiresAt: number };

/**
 * Credentials of tenants' roles. They are kept for their hour and renewed 5 minutes before its end; concurrent requests share
 * one call. While STS is unavailable, credentials that are still valid are used.
 */
export class AssumedRoleClient {
  readonly #client: STSClient;
  readonly #now: () => number;
  readonly #sessions = new Map<string, Session>();
  readonly #underWay = new Map<string, Promise<Session>>();

  constructor(client: STSClient, now: () => number = Date.now) {
    this.#client = client;
    this.#now = now;
  }

  /** @throws {CredentialsUnavailable} */
  async of(role: TenantRole): Promise<AwsCredentialIdentity> {
    const session = this.#sessions.get(keyOf(role));
    if (session && this.#now() < session.expiresAt - refreshBefore) return session.credentials;
    try {
      return (await this.#renew(role)).credentials;
    } catch (error) {
      if (session && this.#now() < session.expiresAt) return session.credentials;
      throw error;
    }
  }

  /** True if a session is open, perhaps for a while already. */
  has(role: TenantRole): boolean {
    return this.#sessions.has(keyOf(role));
  }

  /** Drops credentials that were refused. The next call gets new ones. */
  forget(role: TenantRole): void {
    this.#sessions.delete(keyOf(role));
  }

  async #renew(role: TenantRole): Promise<Session> {
    const key = keyOf(role);
    const underWay = this.#underWay.get(key);
    if (underWay) return await underWay;
    const assumed = this.#assume(role).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, assumed);
    const session = await assumed;
    this.#dropExpired();
    // Sessions stay in the order in which they end.
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    return session;
  }

  async #assume({ roleArn, externalId, resourceArn, sessionPolicy }: TenantRole): Promise<Session> {
    const command = new AssumeRoleCommand({
      RoleArn: roleArn,
      RoleSessionName: 'omi-export',
      ExternalId: externalId,
      DurationSeconds: lifetimeMs / seconds,
      Policy: sessionPolicy(resourceArn),
    });
    try {
      const { Credentials } = await this.#client.send(command);
      return this.#sessionOf(Credentials);
    } catch (error) {
      throw new CredentialsUnavailable(`${roleArn} could not be assumed`, { cause: error });
    }
  }

  #sessionOf(
    issued: {
      AccessKeyId?: string | undefined;
      SecretAccessKey?: string | undefined;
      SessionToken?: string | undefined;
      Expiration?: Date | undefined;
    } = {},
  ): Session {
    const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = issued;
    if (!AccessKeyId || !SecretAccessKey || !SessionToken)
      throw new Error('STS answered without credentials');
    const expiration = Expiration ?? new Date(this.#now() + lifetimeMs);
    return {
      credentials: {
        accessKeyId: AccessKeyId,
        secretAccessKey: SecretAccessKey,
        sessionToken: SessionToken,
        expiration,
      },
      expiresAt: expiration.getTime(),
    };
  }

  /** Sessions of tenants that left do not accumulate. Those that ended are in front of all others. */
  #dropExpired(): void {
    const now = this.#now();
    for (const [key, { expiresAt }] of this.#sessions) {
      if (expiresAt > now) return;
      this.#sessions.delete(key);
    }
  }
}
