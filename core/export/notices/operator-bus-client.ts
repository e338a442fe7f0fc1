import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { source } from '../kinds/bus/source.ts';

const timeLimits = { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true };

/** The bus did not take the event. */
export class BusRefused extends Error {
  override readonly name = 'BusRefused';
}

/** The default event bus of the operator's account and region. */
export class OperatorBus {
  readonly #client = new EventBridgeClient({ requestHandler: new NodeHttpHandler(timeLimits) });
  readonly #baseUrl: string;

  /** @param baseUrl tells one stage of the account from another */
  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** At least once. @throws {BusRefused}, or what EventBridge answers */
  async put(detailType: string, detail: object): Promise<void> {
    const { FailedEntryCount = 0 } = await this.#client.send(
      new PutEventsCommand({
        Entries: [
          {
            Source: source,
            DetailType: detailType,
            Detail: JSON.stringify(detail),
            Resources: [this.#baseUrl],
          },
        ],
      }),
    );
    if (FailedEntryCount > 0) throw new BusRefused('EventBridge refused the event');
  }
}
