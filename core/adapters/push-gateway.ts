import {
  CreatePlatformEndpointCommand,
  DeleteEndpointCommand,
  EndpointDisabledException,
  InvalidParameterException,
  NotFoundException,
  PublishCommand,
  SetEndpointAttributesCommand,
  SNSClient,
  SNSServiceException,
} from '@aws-sdk/client-sns';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { StandardRetryStrategy } from '@smithy/core/retry';
import type { RetryErrorInfo, StandardRetryToken } from '@smithy/types';
import type { Platform } from '../domain/device.ts';
import { invalidField } from '../domain/refusal.ts';
import { pushNotification, type PushContent } from './push-payload.ts';

export type PlatformApplications = Partial<Record<Platform, string>>;

/** What SNS made of a push; `gone`: the endpoint was deleted, and a new one may be made from the token. */
export type PushOutcome = 'sent' | 'failed' | 'unreachable' | 'gone';

/** SNS did nothing: it was too busy, or away. A publish that timed out may have been done instead. */
const wasTurnedAway = ({ errorType, error }: RetryErrorInfo): boolean =>
  errorType === 'THROTTLING' ||
  (error instanceof SNSServiceException && error.$metadata.httpStatusCode === 503);

/** Sending again what may have been sent would show the user two pushes. */
class RetryTurnedAway extends StandardRetryStrategy {
  override async refreshRetryTokenForRetry(token: StandardRetryToken, info: RetryErrorInfo) {
    if (!wasTurnedAway(info)) throw new Error('not sent again', { cause: info.error });
    return await super.refreshRetryTokenForRetry(token, info);
  }
}

export const snsClient = (): SNSClient =>
  new SNSClient({
    retryStrategy: new RetryTurnedAway(3),
    requestHandler: new NodeHttpHandler({
      connectionTimeout: 1_000,
      requestTimeout: 3_000,
      throwOnRequestTimeout: true,
    }),
  });

/** SNS mobile push: one endpoint for each push token of a platform. */
export class PushGateway {
  readonly #client: SNSClient;
  readonly #applications: PlatformApplications;

  constructor(client: SNSClient, applications: PlatformApplications) {
    this.#client = client;
    this.#applications = applications;
  }

  /**
   * The endpoint of a token, enabled. Creating gives the existing one of the same token; that does not enable it
   * when the provider had given it up (https://docs.aws.amazon.com/sns/latest/dg/mobile-push-send-devicetoken.html).
   *
   * @throws {Refusal} `invalid-request` for a token or platform that SNS does not take
   */
  async enableEndpoint(platform: Platform, token: string): Promise<string> {
    const application = this.#applications[platform];
    if (application === undefined) {
      const known = Object.keys(this.#applications).join(', ');
      throw invalidField('/platform', `expected a platform that is set up here: ${known || 'none is'}`);
    }
    const endpointArn = await this.#createEndpoint(application, token);
    await this.#client.send(
      new SetEndpointAttributesCommand({
        EndpointArn: endpointArn,
        Attributes: { Token: token, Enabled: 'true' },
      }),
    );
    return endpointArn;
  }

  async #createEndpoint(application: string, token: string): Promise<string> {
    try {
      const { EndpointArn = '' } = await this.#client.send(
        new CreatePlatformEndpointCommand({ PlatformApplicationArn: application, Token: token }),
      );
      return EndpointArn;
    } catch (error) {
      if (!(error instanceof InvalidParameterException)) throw error;
      const existing = /Endpoint (arn:\S+) already exists/.exec(error.message)?.[1];
      if (existing !== undefined) return existing;
      throw invalidField('/pushToken', 'expected a token that the push provider takes');
    }
  }

  /** Never throws: what became of the push is part of the confirmation, not an error of the call. */
  async publish(endpointArn: string, platform: Platform, content: PushContent): Promise<PushOutcome> {
    try {
      await this.#client.send(
        new PublishCommand({ TargetArn: endpointArn, ...pushNotification(platform, content) }),
      );
      return 'sent';
    } catch (error) {
      if (error instanceof EndpointDisabledException) return 'unreachable';
      return error instanceof NotFoundException ? 'gone' : 'failed';
    }
  }

  async deleteEndpoint(endpointArn: string): Promise<void> {
    await this.#client.send(new DeleteEndpointCommand({ EndpointArn: endpointArn }));
  }
}
