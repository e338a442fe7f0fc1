import {
  CreatePlatformApplicationCommand,
  DeletePlatformApplicationCommand,
  NotFoundException,
  SetPlatformApplicationAttributesCommand,
  type SNSClient,
} from '@aws-sdk/client-sns';
import type { Attributes, Platform } from './platform-credentials.ts';

/** SNS platform applications, under ARNs that are known before they exist. */
export class PlatformApplicationClient {
  readonly #client: SNSClient;

  constructor(client: SNSClient) {
    this.#client = client;
  }

  /** Creates the application, or renews the attributes of the one that exists: done twice, it changes nothing. */
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

  /** SNS takes the deletion of an application that is gone already as done. */
  async delete(arn: string): Promise<void> {
    await this.#client.send(new DeletePlatformApplicationCommand({ PlatformApplicationArn: arn }));
  }
}
