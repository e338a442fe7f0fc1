import { DescribeEventBusCommand, EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { Fault, Target } from '../../targets/target.ts';
import { CheckFailed } from '../checks.ts';
import type { Claim, Probe } from '../probe.ts';
import { isDenied } from '../role/role-faults.ts';
import type { RoleProbe } from '../role/role-probe.ts';
import { busFault, explainBusError } from './bus-faults.ts';
import { busRole } from './bus-role.ts';
import { source } from './source.ts';
import type { BusDestination } from './record.ts';

/** By its detail type, which no event has, rules tell the test from events. */
const testEntry = { Source: source, DetailType: 'omi.verification', Detail: '{}' };

/** Short limits, as the exporter has them: the test must not pass where the exporter would fail. */
const requestHandler = new NodeHttpHandler({
  connectionTimeout: 1_000,
  requestTimeout: 2_000,
  throwOnRequestTimeout: true,
});

/** Tries what a tenant's role must allow the service on its event bus. */
export class BusProbe implements Probe {
  readonly #roles: Pick<RoleProbe, 'prove'>;

  constructor(roles: Pick<RoleProbe, 'prove'>) {
    this.#roles = roles;
  }

  async prove({
    target: { destination },
  }: Claim<Target & { destination: BusDestination }>): Promise<undefined> {
    const credentials = await this.#roles.prove(busRole(destination));
    const { busArn } = destination;
    const [, , , region = ''] = busArn.split(':');
    const client = new EventBridgeClient({ region, maxAttempts: 1, requestHandler, credentials });
    const fault = (await missing(client, busArn)) ?? (await refused(client, busArn));
    if (fault) throw new CheckFailed(fault);
  }
}

/** If the role may not ask for the bus, what is sent there tells whether it exists. */
async function missing(client: EventBridgeClient, Name: string): Promise<Fault | undefined> {
  try {
    await client.send(new DescribeEventBusCommand({ Name }));
    return undefined;
  } catch (error) {
    return isDenied(error) ? undefined : explainBusError(error);
  }
}

async function refused(client: EventBridgeClient, EventBusName: string): Promise<Fault | undefined> {
  try {
    const { Entries: [entry] = [] } = await client.send(
      new PutEventsCommand({ Entries: [{ ...testEntry, EventBusName }] }),
    );
    const { ErrorCode, ErrorMessage } = entry ?? { ErrorCode: 'NoAnswer' };
    return ErrorCode === undefined ? undefined : busFault(ErrorCode, ErrorMessage);
  } catch (error) {
    return explainBusError(error);
  }
}
