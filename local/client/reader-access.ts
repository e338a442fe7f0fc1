import { KinesisClient } from '@aws-sdk/client-kinesis';
import type { StackFile } from './local-stack.ts';

/** All that a reader needs to know of the stack. */
export type ExportPlace = Pick<StackFile, 'aws'>;

/** Anybody's: the local stack takes any credentials. */
export const readerAccess = ({ aws: { region, endpoints } }: ExportPlace, service: 'kinesis' | 's3') => ({
  region,
  endpoint: endpoints[service],
  credentials: { accessKeyId: 'READER', secretAccessKey: 'any' },
});

/** What a reader of a stream calls. */
export const kinesisOf = (stack: ExportPlace): KinesisClient =>
  new KinesisClient(readerAccess(stack, 'kinesis'));
