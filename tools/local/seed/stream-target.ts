import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateStreamCommand,
  DescribeStreamSummaryCommand,
  KinesisClient,
  ResourceInUseException,
} from '@aws-sdk/client-kinesis';
import type { StreamDestination } from '../../../core/export/kinds/stream/record.ts';
import { exporterRoleArnsOf } from '../../../core/export/kinds/policies/operator-roles.ts';
import { streamDocuments } from '../../../core/export/kinds/stream/stream-documents.ts';
import { accountId, region } from '../aws/identity.ts';
import { stage } from '../resources/exports.ts';
import { accessAs, type Aws, using } from './aws-access.ts';
import { ensureRole, roleNameOf } from './role.ts';

export type StreamTarget = {
  /** The tenant's account. */
  account: string;
  streamName: string;
  externalId: string;
  roleName?: string;
  /** Without it the stream is on demand, as we recommend to tenants. */
  shards?: number;
};

const pollMs = 20;

/** Creates the stream and the role of a tenant, as `docs/tenants.md` describes. */
export async function makeStreamTarget(aws: Aws, target: StreamTarget): Promise<StreamDestination> {
  const { account, streamName, externalId, roleName = `${streamName}-writer` } = target;
  const destination: StreamDestination = {
    kind: 'stream',
    streamArn: `arn:aws:kinesis:${aws.region}:${account}:stream/${streamName}`,
    roleArn: `arn:aws:iam::${account}:role/${roleName}`,
    externalId,
    lanes: 2,
  };
  await Promise.all([
    ensureRole(aws, account, { name: roleName, ...writerPolicies(destination) }),
    using(new KinesisClient(accessAs(account, aws, 'kinesis')), async (client) => {
      await ensureStream(client, target);
    }),
  ]);
  return destination;
}

/** The published trust policy and permissions of the tenant's role. */
export function writerPolicies({ streamArn, roleArn, externalId }: StreamDestination) {
  const operatorRoleArns = exporterRoleArnsOf({ stage, region, account: accountId });
  const roleName = roleNameOf(roleArn);
  const documents = streamDocuments({ kind: 'stream', streamArn, roleName, externalId, operatorRoleArns });
  const { trustPolicy, permissionPolicy } = documents;
  return { trustPolicy, permissionPolicy };
}

async function ensureStream(client: KinesisClient, { streamName, shards }: StreamTarget): Promise<void> {
  const capacity =
    shards === undefined
      ? { StreamModeDetails: { StreamMode: 'ON_DEMAND' as const } }
      : { ShardCount: shards };
  await client
    .send(new CreateStreamCommand({ StreamName: streamName, ...capacity }))
    .catch((error: unknown) => {
      if (!(error instanceof ResourceInUseException)) throw error;
    });
  for (;;) {
    const summary = new DescribeStreamSummaryCommand({ StreamName: streamName });
    const { StreamDescriptionSummary } = await client.send(summary);
    if (StreamDescriptionSummary?.StreamStatus === 'ACTIVE') return;
    await sleep(pollMs);
  }
}
