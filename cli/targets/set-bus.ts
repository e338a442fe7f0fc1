import * as v from 'valibot';
import { busDestination, type BusDestination } from '../../core/export/kinds/bus/record.ts';
import type { TenantTarget } from '../../core/export/kinds/policies/tenant-documents.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { checkedOption, regionalArn, typeOption } from '../options.ts';
import type { Session } from '../session.ts';
import { exampleExternalId, exampleRole } from './external-ids.ts';
import { formatOption, type FormatOptions } from './format-option.ts';
import type { PolicyOptions } from './policies/options.ts';
import { roleInput } from './policies/role-input.ts';
import { registerRoleTarget, roleOptions, type RoleTargetOptions } from './role-target.ts';

const exampleBus = 'arn:aws:events:eu-central-1:111122223333:event-bus/omi-events';

const arnOption = (name: string) =>
  checkedOption(`${name} <arn>`, "the tenant's event bus", regionalArn(busDestination.entries.busArn), {
    expected: 'the ARN of an EventBridge event bus',
    example: exampleBus,
  });

type Options = RoleTargetOptions & FormatOptions & { arn: string };

const exampleTarget = `${exampleTenant} public --arn ${exampleBus} --role-arn ${exampleRole}`;

export const setBusCommand = defineCommand<Options>({
  name: 'bus',
  description: 'Exports a category to an EventBridge event bus of the tenant. A bus keeps no order.',
  ids: [tenantId, categoryId],
  options: [
    arnOption('--arn').makeOptionMandatory(),
    ...roleOptions('send to the bus'),
    formatOption(),
    typeOption('only events of these types (default: all)'),
  ],
  examples: [
    `target set bus ${exampleTarget} --external-id ${exampleExternalId}`,
    `target set bus ${exampleTarget} --new-external-id --format cloudevents`,
  ],
  run: setBus,
});

async function setBus(session: Session, options: Options): Promise<void> {
  const { arn: busArn, roleArn, format } = options;
  await registerRoleTarget(session, options, (externalId) =>
    v.parse(busDestination, { kind: 'bus', busArn, roleArn, externalId, format }),
  );
}

/** For the policies of a bus. */
export const busArnOption = () => arnOption('--bus-arn').conflicts(['streamArn', 'bucket']);

export async function busInput(
  deployment: Deployment,
  options: PolicyOptions & { busArn?: string },
  known: BusDestination | undefined,
): Promise<TenantTarget> {
  const busArn = options.busArn ?? known?.busArn ?? '';
  return { kind: 'bus', busArn, ...(await roleInput(deployment, options, known)) };
}
