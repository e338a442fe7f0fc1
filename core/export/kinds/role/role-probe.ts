import { randomBytes } from 'node:crypto';
import { AssumeRoleCommand, type STSClient } from '@aws-sdk/client-sts';
import type { AwsCredentialIdentity } from '@smithy/types';
import { CheckFailed, verificationFault } from '../checks.ts';
import { AssumedRoleClient, type TenantRole } from './assumed-role-client.ts';
import { CredentialsUnavailable, roleFault } from './role-faults.ts';

/** Seconds: the shortest session that STS gives. */
const shortestSessionSeconds = 900;

const caseFlipped = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

/**
 * Ids that only another comparison than StringEquals accepts: one that nobody uses, and the agreed one with more behind it, before
 * it and within (patterns), and in other letters (StringEqualsIgnoreCase).
 */
function otherExternalIds({ externalId }: TenantRole): string[] {
  const middle = Math.floor(externalId.length / 2);
  const within = `${externalId.slice(0, middle)}-x-${externalId.slice(middle)}`;
  const unused = randomBytes(24).toString('base64url');
  return [unused, `${externalId}-x`, `x-${externalId}`, within, caseFlipped(externalId)].filter(
    (other) => other !== externalId,
  );
}

/** Tries what the trust policy of a tenant's role must allow the service, and what it must not. All methods throw {@link CheckFailed}. */
export class RoleProbe {
  readonly #sts: STSClient;
  readonly #credentials: AssumedRoleClient;

  constructor(sts: STSClient) {
    this.#sts = sts;
    this.#credentials = new AssumedRoleClient(sts);
  }

  /**
   * Tests for a confused deputy before anything is written: nothing is written with a role that anyone could make the service
   * use.
   *
   * @returns credentials of the role
   */
  async prove(role: TenantRole): Promise<AwsCredentialIdentity> {
    const credentials = await this.assume(role);
    if (await this.admits(role)) throw new CheckFailed(verificationFault('OpenWithoutExternalId'));
    for (const externalId of otherExternalIds(role))
      if (await this.admits(role, externalId))
        throw new CheckFailed(verificationFault('OpenToAnyExternalId'));
    return credentials;
  }

  /** Assumes the role as the exporter does: with the external id, only for its resource. Earlier sessions do not count. */
  async assume(role: TenantRole): Promise<AwsCredentialIdentity> {
    this.#credentials.forget(role);
    try {
      return await this.#credentials.of(role);
    } catch (error) {
      throw new CheckFailed(roleFault(asUnavailable(error)), { cause: error });
    }
  }

  /**
   * True if the role can be assumed with this external id, or without any. All else is as the exporter does it, including the
   * session's name. The credentials are thrown away.
   */
  async admits({ roleArn, resourceArn, sessionPolicy }: TenantRole, ExternalId?: string): Promise<boolean> {
    const command = new AssumeRoleCommand({
      RoleArn: roleArn,
      RoleSessionName: 'omi-export',
      DurationSeconds: shortestSessionSeconds,
      Policy: sessionPolicy(resourceArn),
      ...(ExternalId !== undefined && { ExternalId }),
    });
    try {
      await this.#sts.send(command);
      return true;
    } catch (error) {
      const fault = roleFault(asUnavailable(error));
      if (fault.code === 'AccessDenied') return false;
      throw new CheckFailed(fault, { cause: error });
    }
  }
}

const asUnavailable = (error: unknown): CredentialsUnavailable =>
  error instanceof CredentialsUnavailable
    ? error
    : new CredentialsUnavailable('not assumed', { cause: error });
