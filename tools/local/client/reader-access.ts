import { KinesisClient } from '@aws-sdk/client-kinesis';
import type { StackFile } from './local-stack.ts';

/** The endpoints of the local AWS. */
export type LocalAws = Pick<StackFile, 'aws'>;

/** The settings of a reader's SDK client. The local stack accepts any credentials. */
export const readerAccess = ({ aws: { region, endpoints } }: LocalAws, service: 'kinesis' | 's3') => ({
  region,
  endpoint: endpoints[service],
  credentials: { accessKeyId: 'READER', secretAccessKey: 'any' },
});

/** The client for readers of streams. */
export const kinesisOf = (stack: LocalAws): KinesisClient =>
  new KinesisClient(readerAccess(stack, 'kinesis'));
