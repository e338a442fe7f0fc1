/** The command lines by which tests register targets. */
export const streamArn = 'arn:aws:kinesis:eu-central-1:111122223333:stream/events';
export const roleArn = 'arn:aws:iam::111122223333:role/omi-event-export';
export const keyArn = 'arn:aws:kms:eu-central-1:111122223333:key/11111111-2222-3333-4444-555555555555';

export const named = (tenantId: string, category: string): string[] => [
  '--tenant',
  tenantId,
  '--category',
  category,
];

export type Target = { destination: { externalId: string; deliveryRoleArn: string }; state: string };

export const setStream = (tenantId: string, category: string, ...more: string[]): string[] => [
  ...['target', 'set', 'stream', ...named(tenantId, category)],
  ...['--stream-arn', streamArn, '--role-arn', roleArn, ...more],
];
