import type { TenantRole } from '../role/assumed-role-client.ts';
import type { StreamDestination } from './record.ts';

/**
 * The most that the session may do, whatever the role allows: write to this stream, ask how it distributes records, and
 * have Kinesis use its key.
 */
export function sessionPolicy(streamArn: string): string {
  const region = streamArn.split(':')[3] ?? '';
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['kinesis:PutRecords', 'kinesis:DescribeStreamSummary'],
        Resource: streamArn,
      },
      {
        Effect: 'Allow',
        Action: 'kms:GenerateDataKey',
        Resource: '*',
        Condition: {
          StringEquals: {
            'kms:ViaService': `kinesis.${region}.amazonaws.com`,
            'kms:EncryptionContext:aws:kinesis:arn': streamArn,
          },
        },
      },
    ],
  });
}

export const streamRole = ({ roleArn, externalId, streamArn }: StreamDestination): TenantRole => ({
  roleArn,
  externalId,
  resourceArn: streamArn,
  sessionPolicy,
});
