import {
  CreatePlatformEndpointCommand,
  EndpointDisabledException,
  InvalidParameterException,
  NotFoundException,
  PublishCommand,
  SetEndpointAttributesCommand,
  type SNSClient,
} from '@aws-sdk/client-sns';
import type { NativePlatform } from '../device.ts';
import { invalidField } from '../../kernel/refusal.ts';
import { faultOf, type PushFault } from './push-fault.ts';
import { pushNotification, type PushContent } from './push-payload.ts';

export type PlatformApplications = Partial<Record<NativePlatform, string>>;

/**
 * SNS's response to a push. `gone`: the endpoint was deleted, but a new one may be created from the token. `failed` has the
 * name of the error, and its code if the connection failed.
 */
export type PushOutcome =
  | { delivery: 'sent' | 'unreachable' | 'gone' }
  | { delivery: 'failed'; fault: PushFault };

/** Milliseconds for a publish with all its attempts. */
const publishLimitMs = 3_000;

/** SNS mobile push: one endpoint for each push token of a platform. */
export class PushClient {
  readonly #client: SNSClient;
  readonly #applications: PlatformApplications;

  constructor(client: SNSClient, applications: PlatformApplications) {
    this.#client = client;
    this.#applications = applications;
  }

  /**
   * The endpoint of a token, enabled. Creating returns the existing endpoint of the token, but does not enable one that was
   * disabled (https://docs.aws.amazon.com/sns/latest/dg/mobile-push-send-devicetoken.html).
   *
   * @param created is called with the endpoint before anything else can fail
   * @throws {Refusal} `invalid-request` for a token or platform that SNS does not accept
   */
  async enableEndpoint(
    platform: NativePlatform,
    token: string,
    created?: (endpointArn: string) => void,
  ): Promise<string> {
    const application = this.#applications[platform];
    if (application === undefined) {
      const known = Object.keys(this.#applications).join(', ');
      throw invalidField('/platform', `expected a configured platform: ${known || 'there is none'}`);
    }
    const endpointArn = await this.#createEndpoint(application, token);
    created?.(endpointArn);
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
      throw invalidField('/pushToken', 'expected a token that the push provider accepts');
    }
  }

  /**
   * Never throws: the result is part of the confirmation, not an error of the request.
   *
   * A failed attempt is repeated, even if SNS may have accepted it: both pushes have the same collapse id or tag, so the
   * device shows one notification. An attempt without a response is not repeated: it uses the whole time limit, for which
   * the website waits, and SNS has probably accepted it.
   */
  async publish(endpointArn: string, platform: NativePlatform, content: PushContent): Promise<PushOutcome> {
    const command = new PublishCommand({ TargetArn: endpointArn, ...pushNotification(platform, content) });
    try {
      // Only the signal ends an attempt, because the SDK would repeat an attempt that reached its own time limit.
      await this.#client.send(command, {
        abortSignal: AbortSignal.timeout(publishLimitMs),
        requestTimeout: 0,
      });
      return { delivery: 'sent' };
    } catch (error) {
      if (error instanceof EndpointDisabledException) return { delivery: 'unreachable' };
      if (error instanceof NotFoundException) return { delivery: 'gone' };
      return { delivery: 'failed', fault: faultOf(error) };
    }
  }
}
