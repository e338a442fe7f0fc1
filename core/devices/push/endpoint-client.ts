import { DeleteEndpointCommand, type SNSClient } from '@aws-sdk/client-sns';

/** Apart from the push gateway, so that the Lambdas that only remove carry nothing of it. */
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
