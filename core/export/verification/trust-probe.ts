import { randomBytes } from 'node:crypto';
import { DescribeStreamSummaryCommand, KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { AssumeRoleCommand, type STSClient } from '@aws-sdk/client-sts';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { StreamDestination } from '../targets/target.ts';
import { CheckFailed } from './verification-checks.ts';
import { AssumedRoleClient, CredentialsUnavailable, sessionPolicy } from '../delivery/assumed-role-client.ts';
import { explainStreamError, streamFault } from '../delivery/delivery-faults.ts';

/** What consumers know a record of the test by, besides its having no events. */
const testRecord = { PartitionKey: 'omi-verification', Data: Buffer.from('{"events":[]}') };

/** HTTP/1.1 and the limits of the exporter's own client: what it could not do in them, the exporter cannot. */
const requestHandler = new NodeHttpHandler({
  connectionTimeout: 1_000,
  requestTimeout: 2_000,
  throwOnRequestTimeout: true,
});

/** Seconds: the shortest session there is. */
const shortestSession = 900;

/** Nobody else has it, so a role that takes it takes any. */
export const wrongExternalId = (): string => randomBytes(24).toString('base64url');

/** Tries what a tenant's role lets the service do, and what it must not. All methods throw {@link CheckFailed}. */
export class TrustProbe {
  readonly #sts: STSClient;
  readonly #credentials: AssumedRoleClient;

  constructor(sts: STSClient) {
    this.#sts = sts;
    this.#credentials = new AssumedRoleClient(sts);
  }

  /** The way of the exporter: with the external id, for this stream alone. What was assumed earlier does not count. */
  async assume(destination: StreamDestination): Promise<void> {
    this.#credentials.forget(destination);
    await explained(async () => await this.#credentials.of(destination));
  }

  /**
   * Whether the role lets in who presents this external id, or none; all else is as the exporter does it, the session's
   * name, too. What is handed out is thrown away.
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
   * Whether the stream puts records where their partition keys say. With `AUTO` it spreads them as it likes, and no
   * order is kept. The tenant need not let us ask: then it is taken for what streams are by default.
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

/** In the words that the exporter would have for it. */
async function explained<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new CheckFailed(explainStreamError(error), { cause: error });
  }
}
