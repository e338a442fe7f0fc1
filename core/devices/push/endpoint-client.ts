import { DeleteEndpointCommand, type SNSClient } from '@aws-sdk/client-sns';

/** Separate from `PushClient`, so that Lambdas that only delete endpoints have smaller bundles. */
export class EndpointClient {
  readonly #client: SNSClient;

  constructor(client: SNSClient) {
    this.#client = client;
  }

  /** Deleting an endpoint that does not exist succeeds. */
  async deleteEndpoint(endpointArn: string): Promise<void> {
    await this.#client.send(new DeleteEndpointCommand({ EndpointArn: endpointArn }));
  }
}
