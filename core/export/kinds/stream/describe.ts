import type { StreamDestination } from './record.ts';

export const describeStream = ({ streamArn, roleArn, externalId, lanes }: StreamDestination) => ({
  stream: streamArn,
  role: roleArn,
  'external id': externalId,
  lanes,
});
