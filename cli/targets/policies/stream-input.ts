import { parseArn } from '../../../core/export/kinds/policies/arn.ts';
import type { TenantTarget } from '../../../core/export/kinds/policies/tenant-documents.ts';
import type { StreamDestination } from '../../../core/export/kinds/stream/record.ts';
import { UsageError } from '../../command-error.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import type { PolicyOptions } from './options.ts';
import { roleInput } from './role-input.ts';

export async function streamInput(
  deployment: Deployment,
  options: PolicyOptions,
  known: StreamDestination | undefined,
): Promise<TenantTarget> {
  const streamArn = options.streamArn ?? known?.streamArn ?? '';
  requireRegion(streamArn, options.kmsKeyArn);
  return {
    kind: 'stream',
    streamArn,
    ...(await roleInput(deployment, options, known)),
    ...(options.kmsKeyArn !== undefined && { kmsKeyArn: options.kmsKeyArn }),
    ...(options.newKey && { newKey: true }),
  };
}

function requireRegion(streamArn: string, kmsKeyArn: string | undefined): void {
  const { region } = parseArn(streamArn);
  if (kmsKeyArn === undefined || parseArn(kmsKeyArn).region === region) return;
  throw new UsageError(`--kms-key-arn must name a key in the region of the stream, ${region}.`);
}
