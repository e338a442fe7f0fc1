/** What a kind of target is called, for tenants. It is also in the page of exports, so it imports nothing: records are not for browsers. */
export type TargetNames = {
  title: string;
  /** The member of a destination that tells it from others. */
  name: string;
  /** The members that tenants see, in this order, and what they are called. The others are the operator's. */
  parts: Readonly<Record<string, string>>;
  /** Consumers get the events of an aggregate in order. */
  isOrdered: boolean;
};

export const targetNames = {
  stream: {
    title: 'Kinesis data stream',
    name: 'streamArn',
    parts: { streamArn: 'Stream', roleArn: 'Role', lanes: 'Lanes' },
    isOrdered: true,
  },
  bucket: {
    title: 'S3 bucket',
    name: 'bucket',
    parts: { bucket: 'Bucket', bucketOwner: "Bucket's account", kmsKeyArn: 'Key' },
    isOrdered: false,
  },
  webhook: {
    title: 'Webhook',
    name: 'url',
    parts: { url: 'URL', format: 'Format' },
    isOrdered: true,
  },
  bus: {
    title: 'EventBridge event bus',
    name: 'busArn',
    parts: { busArn: 'Event bus', roleArn: 'Role', format: 'Format' },
    isOrdered: false,
  },
  signals: {
    title: 'Stream of signals',
    name: 'streamId',
    parts: { streamId: 'Stream', url: 'URL' },
    isOrdered: true,
  },
} satisfies Record<string, TargetNames>;
