import { DescribeStreamSummaryCommand, KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { Target } from '../../targets/target.ts';
import { CheckFailed } from '../checks.ts';
import type { Claim, Probe } from '../probe.ts';
import type { RoleProbe } from '../role/role-probe.ts';
import type { StreamDestination } from './record.ts';
import { explainStreamError, streamFault } from './stream-faults.ts';
import { streamRole } from './stream-role.ts';

/** A record of the test has no events. Consumers also know it by its partition key. */
const testRecord = { PartitionKey: 'omi-verification', Data: Buffer.from('{"events":[]}') };

/** HTTP/1.1 and short limits, as the exporter has them: the test must not pass where the exporter would fail. */
const requestHandler = new NodeHttpHandler({
  connectionTimeout: 1_000,
  requestTimeout: 2_000,
  throwOnRequestTimeout: true,
});

const noOrder =
  'The stream spreads records over its shards by itself (RecordDistributionStrategy AUTO): events of an aggregate may come out of order.';

/** Tries what a tenant's role must allow the service in its stream. */
export class StreamProbe implements Probe {
  readonly #roles: Pick<RoleProbe, 'prove'>;

  constructor(roles: Pick<RoleProbe, 'prove'>) {
    this.#roles = roles;
  }

  async prove({
    target: { destination },
  }: Claim<Target & { destination: StreamDestination }>): Promise<string | undefined> {
    const credentials = await this.#roles.prove(streamRole(destination));
    const { streamArn } = destination;
    const [, , , region = ''] = streamArn.split(':');
    const kinesis = new KinesisClient({ region, maxAttempts: 1, requestHandler, credentials });
    await write(kinesis, streamArn);
    return (await keepsOrder(kinesis, streamArn)) ? undefined : noOrder;
  }
}

/** One record without events: permission, key and stream are as they must be. */
async function write(kinesis: KinesisClient, StreamARN: string): Promise<void> {
  const { ErrorCode, ErrorMessage } = await putTestRecord(kinesis, StreamARN);
  if (ErrorCode !== undefined) throw new CheckFailed(streamFault(ErrorCode, ErrorMessage));
}

/** With the faults that the exporter has for the same errors. */
async function putTestRecord(kinesis: KinesisClient, StreamARN: string) {
  try {
    const { Records: [record] = [] } = await kinesis.send(
      new PutRecordsCommand({ StreamARN, Records: [testRecord] }),
    );
    return record ?? { ErrorCode: 'NoAnswer' };
  } catch (error) {
    throw new CheckFailed(explainStreamError(error), { cause: error });
  }
}

/**
 * True if the stream assigns records to shards by their partition keys. With `AUTO` it spreads them by itself, and keeps no
 * order. If the role may not ask, the stream counts as one with the default.
 */
async function keepsOrder(kinesis: KinesisClient, StreamARN: string): Promise<boolean> {
  try {
    const { StreamDescriptionSummary } = await kinesis.send(new DescribeStreamSummaryCommand({ StreamARN }));
    return StreamDescriptionSummary?.RecordDistributionStrategy !== 'AUTO';
  } catch {
    return true;
  }
}
