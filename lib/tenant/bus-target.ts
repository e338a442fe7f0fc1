import { Aws, RemovalPolicy } from 'aws-cdk-lib';
import { CfnEventBus } from 'aws-cdk-lib/aws-events';
import { CfnRole } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { busWriting } from '../../core/export/kinds/bus/bus-policies.ts';
import { accountRootOf } from '../../core/export/kinds/policies/arn.ts';
import { policy } from '../../core/export/kinds/policies/policy-document.ts';
import { roleTrustPolicy } from '../../core/export/kinds/role/role-policies.ts';
import { addParameters } from './parameters.ts';
import { roleParameters } from './role-parameters.ts';
import { TenantStack } from './tenant-stack.ts';

/** The template for a tenant that wants its events on its own event bus. */
export class BusTargetStack extends TenantStack {
  constructor(scope: Construct, id: string) {
    super(scope, id, 'OMI event export: an event bus, and the role that sends to it.');
    const given = addParameters(this, parameters);
    const bus = new CfnEventBus(this, 'Bus', { name: given.BusName.valueAsString });
    bus.applyRemovalPolicy(RemovalPolicy.RETAIN);
    // It is deleted with the stack, because its owner then wants no more events.
    const role = new CfnRole(this, 'Role', {
      description: 'Assumed by OMI to send events to the event bus.',
      assumeRolePolicyDocument: roleTrustPolicy({
        operatorRoot: accountRootOf({
          partition: Aws.PARTITION,
          account: given.OperatorAccountId.valueAsString,
        }),
        operatorRoleArns: given.OperatorRoleArns.valueAsList,
        externalId: given.ExternalId.valueAsString,
      }),
      policies: [{ policyName: 'send-events', policyDocument: policy(busWriting(bus.attrArn)) }],
    });
    this.addOutputs({
      BusArn: ['The event bus, for the operator of OMI.', bus.attrArn],
      RoleArn: ['The role, for the operator of OMI.', role.attrArn],
      ExternalId: [
        'The external id with which the operator assumes the role.',
        given.ExternalId.valueAsString,
      ],
    });
  }
}

const parameters = {
  ...roleParameters,
  'Your event bus': {
    BusName: {
      label: 'Name',
      description: 'It receives all events. Your own rules choose from them.',
      default: 'omi-events',
      allowedPattern: '^[a-zA-Z0-9/_.-]{1,256}$',
      constraintDescription: 'Expected up to 256 letters, digits and / _ . -',
    },
  },
};
