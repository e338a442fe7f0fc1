import { randomBytes } from 'node:crypto';
import { DescribeStreamSummaryCommand, KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { AssumeRoleCommand, type STSClient } from '@aws-sdk/client-sts';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { StreamDestination } from '../targets/target.ts';
import { CheckFailed } from './verification-checks.ts';
import { AssumedRoleClient, CredentialsUnavailable, sessionPolicy } from '../delivery/assumed-role-client.ts';
import { explainStreamError, streamFault } from '../delivery/delivery-faults.ts';

/** A record of the test has no events. Consumers also know it by its partition key. */
const testRecord = { PartitionKey: 'omi-verification', Data: Buffer.from('{"events":[]}') };

/** HTTP/1.1 and short limits, as the exporter has them: the test must not pass where the exporter would fail. */
const requestHandler = new NodeHttpHandler({
  connectionTimeout: 1_000,
  requestTimeout: 2_000,
  throwOnRequestTimeout: true,
});

/** Seconds: the shortest session that STS gives. */
const shortestSession = 900;

/** Nobody uses it. A role that accepts it accepts every external id. */
export const wrongExternalId = (): string => randomBytes(24).toString('base64url');

/** Tries what a tenant's role must allow the service, and what it must not. All methods throw {@link CheckFailed}. */
export class TrustProbe {
  readonly #sts: STSClient;
  readonly #credentials: AssumedRoleClient;

  constructor(sts: STSClient) {
    this.#sts = sts;
    this.#credentials = new AssumedRoleClient(sts);
  }

  /** Assumes the role as the exporter does: with the external id, only for this stream. Earlier sessions do not count. */
  async assume(destination: StreamDestination): Promise<void> {
    this.#credentials.forget(destination);
    await explained(async () => await this.#credentials.of(destination));
  }

  /**
   * True if the role can be assumed with this external id, or without any. All else is as the exporter does it, including the
   * session's name. The credentials are thrown away.
   */
  async admits({ roleArn, streamArn }: StreamDestination, ExternalId?: string): Promise<boolean> {
    const command = new AssumeRoleCommand({
      RoleArn: roleArn,
      RoleSessionName: 'omi-export',
      DurationSeconds: shortestSession,
      Policy: sessionPolicy(streamArn),
      ...(ExternalId !== undefined && { ExternalId }),
    });
    try {
      await this.#sts.send(command);
      return true;
    } catch (error) {
      const fault = explainStreamError(new CredentialsUnavailable('not assumed', { cause: error }));
      if (fault.code === 'AccessDenied') return false;
      throw new CheckFailed(fault, { cause: error });
    }
  }

  /** One record without events, with what {@link assume} got: permission, key and stream are as they must be. */
  async write(destination: StreamDestination): Promise<void> {
    const kinesis = await this.#streamClient(destination);
    const command = new PutRecordsCommand({ StreamARN: destination.streamArn, Records: [testRecord] });
    const { Records: [record] = [] } = await explained(async () => await kinesis.send(command));
    const { ErrorCode, ErrorMessage } = record ?? { ErrorCode: 'NoAnswer' };
    if (ErrorCode !== undefined) throw new CheckFailed(streamFault(ErrorCode, ErrorMessage));
  }

  /**
   * True if the stream assigns records to shards by their partition keys. With `AUTO` it spreads them by itself, and keeps no
   * order. If the role may not ask, the stream counts as one with the default.
   */
  async keepsOrder(destination: StreamDestination): Promise<boolean> {
    const kinesis = await this.#streamClient(destination);
    const command = new DescribeStreamSummaryCommand({ StreamARN: destination.streamArn });
    try {
      const { StreamDescriptionSummary } = await kinesis.send(command);
      return StreamDescriptionSummary?.RecordDistributionStrategy !== 'AUTO';
    } catch {
      return true;
    }
  }

  async #streamClient(destination: StreamDestination): Promise<KinesisClient> {
    const [, , , region = ''] = destination.streamArn.split(':');
    const credentials = await explained(async () => await this.#credentials.of(destination));
    return new KinesisClient({ region, maxAttempts: 1, requestHandler, credentials });
  }
}

/** With the faults that the exporter has for the same errors. */
async function explained<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new CheckFailed(explainStreamError(error), { cause: error });
  }
}
