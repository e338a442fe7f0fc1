/**
 * What makes a data stream a target (interface, "Data stream target"). Nothing here reads its arguments, so they may
 * be placeholders that a CloudFormation template fills in.
 */
import { usedByStream } from '../policies/key-policies.ts';
import type { Statement } from '../policies/policy-document.ts';

/** The summary tells whether the stream keeps the order that partition keys give; nothing is ever read from it. */
const streamActions = ['kinesis:PutRecords', 'kinesis:DescribeStreamSummary'];

export const streamWriting = (streamArn: string): Statement => ({
  Sid: 'WriteToTheStream',
  Effect: 'Allow',
  Action: streamActions,
  Resource: streamArn,
});

export type StreamKey = { keyArn: string; streamArn: string; region: string };

/** For a stream with a key of the tenant's own: whoever writes has a data key made. */
export const streamKeyUse = ({ keyArn, streamArn, region }: StreamKey): Statement => ({
  Sid: 'EncryptRecords',
  Effect: 'Allow',
  Action: 'kms:GenerateDataKey',
  Resource: keyArn,
  Condition: usedByStream(streamArn, region),
});

/** The same in the key's own policy, where the resource `*` is the key itself. */
export function streamKeyGrant({
  roleArn,
  streamArn,
  region,
}: Omit<StreamKey, 'keyArn'> & { roleArn: string }): Statement {
  const { Sid, Effect, ...use } = streamKeyUse({ keyArn: '*', streamArn, region });
  return { Sid, Effect, Principal: { AWS: roleArn }, ...use };
}
