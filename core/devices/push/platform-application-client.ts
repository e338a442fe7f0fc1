import {
  CreatePlatformApplicationCommand,
  DeletePlatformApplicationCommand,
  NotFoundException,
  SetPlatformApplicationAttributesCommand,
  type SNSClient,
} from '@aws-sdk/client-sns';
import type { Attributes, Platform } from './platform-credentials.ts';

/** SNS platform applications. Their ARNs are known before they are created. */
export class PlatformApplicationClient {
  readonly #client: SNSClient;

  constructor(client: SNSClient) {
    this.#client = client;
  }

  /** Creates the application or updates its attributes. Idempotent. */
  async put(arn: string, platform: Platform, attributes: Attributes): Promise<void> {
    try {
      await this.#client.send(
        new SetPlatformApplicationAttributesCommand({ PlatformApplicationArn: arn, Attributes: attributes }),
      );
    } catch (error) {
      if (!(error instanceof NotFoundException)) throw error;
      await this.#create(arn, platform, attributes);
    }
  }

  async #create(arn: string, platform: Platform, attributes: Attributes): Promise<void> {
    const name = arn.split('/').at(-1);
    const { PlatformApplicationArn: created } = await this.#client.send(
      new CreatePlatformApplicationCommand({ Name: name, Platform: platform, Attributes: attributes }),
    );
    if (created !== arn) throw new Error(`Expected SNS to create ${arn}, not ${created ?? 'nothing'}.`);
  }

  /** Idempotent: SNS accepts the deletion of an application that does not exist. */
  async delete(arn: string): Promise<void> {
    await this.#client.send(new DeletePlatformApplicationCommand({ PlatformApplicationArn: arn }));
  }
}
