import {
  CreateStreamCommand,
  DeleteStreamCommand,
  DescribeStreamSummaryCommand,
  type KinesisClient,
  ResourceInUseException,
  ResourceNotFoundException,
} from '@aws-sdk/client-kinesis';
import {
  CreateRoleCommand,
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  type IAMClient,
  NoSuchEntityException,
  PutRolePolicyCommand,
} from '@aws-sdk/client-iam';
import type { RoleDocuments } from '../../core/export/kinds/role/role-documents.ts';
import { eventually } from '../../client/waiting.ts';

export const policyName = 'write';

/** Creates the run's stream, in the operator's account instead of a tenant's. */
export async function makeStream(client: KinesisClient, name: string, signal: AbortSignal): Promise<void> {
  await client.send(
    new CreateStreamCommand({ StreamName: name, StreamModeDetails: { StreamMode: 'ON_DEMAND' } }),
  );
  const ask = async () => {
    const { StreamDescriptionSummary } = await client.send(
      new DescribeStreamSummaryCommand({ StreamName: name }),
    );
    return StreamDescriptionSummary?.StreamStatus === 'ACTIVE' ? true : undefined;
  };
  await eventually('An active stream', ask, { everyMs: 1_000, atMostMs: 180_000, signal });
}

/** Repeats the deletion until it is done: a stream that is being created cannot be deleted yet. */
export async function deleteStream(client: KinesisClient, StreamName: string): Promise<void> {
  const ask = async () => {
    try {
      await client.send(new DeleteStreamCommand({ StreamName }));
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return true;
      if (!(error instanceof ResourceInUseException)) throw error;
    }
    return undefined;
  };
  await eventually('The end of the stream', ask, { everyMs: 1_000, atMostMs: 180_000 });
}

export async function makeRole(client: IAMClient, documents: RoleDocuments): Promise<string> {
  const { roleName: RoleName, trustPolicy, permissionPolicy } = documents;
  const { Role } = await client.send(
    new CreateRoleCommand({
      RoleName,
      AssumeRolePolicyDocument: JSON.stringify(trustPolicy),
      Description: 'OMI: a smoke test writes events into its own stream',
      Tags: [{ Key: 'service', Value: 'omi' }],
    }),
  );
  await client.send(
    new PutRolePolicyCommand({
      RoleName,
      PolicyName: policyName,
      PolicyDocument: JSON.stringify(permissionPolicy),
    }),
  );
  return Role?.Arn ?? '';
}

export async function deleteRole(client: IAMClient, RoleName: string): Promise<void> {
  await unlessGone(client.send(new DeleteRolePolicyCommand({ RoleName, PolicyName: policyName })));
  await unlessGone(client.send(new DeleteRoleCommand({ RoleName })));
}

async function unlessGone(deleting: Promise<unknown>): Promise<void> {
  try {
    await deleting;
  } catch (error) {
    if (!(error instanceof NoSuchEntityException)) throw error;
  }
}
