import { Aws, CfnCondition, type CfnParameter, Fn, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { CfnPolicy, CfnRole } from 'aws-cdk-lib/aws-iam';
import { CfnStream } from 'aws-cdk-lib/aws-kinesis';
import type { Construct } from 'constructs';
import { accountRootOf } from '../../core/export/kinds/policies/arn.ts';
import { policy, type Statement } from '../../core/export/kinds/policies/policy-document.ts';
import {
  streamKeyGrant,
  streamKeyUse,
  streamWriting,
} from '../../core/export/kinds/stream/stream-policies.ts';
import { roleTrustPolicy } from '../../core/export/kinds/role/role-policies.ts';
import { addKey } from './keys.ts';
import { addParameters, nameOf } from './parameters.ts';
import { roleParameters } from './role-parameters.ts';
import { TenantStack } from './tenant-stack.ts';

/** The template for a tenant that wants its events in its own data stream. */
export class StreamTargetStack extends TenantStack {
  constructor(scope: Construct, id: string) {
    super(scope, id, 'OMI event export: a data stream, and the role that writes into it.');
    const given = addParameters(this, parameters);
    const hasOwnKey = new CfnCondition(this, 'HasOwnKey', {
      expression: Fn.conditionEquals(given.Encryption.valueAsString, 'own-key'),
    });
    const name = nameOf(this, given.StreamName);
    const role = this.#addRole(given);
    const key = addKey(this, {
      description: 'Encrypts the events of the data stream.',
      grant: streamKeyGrant({ roleArn: role.attrArn, streamArn: streamArnOf(name), region: Aws.REGION }),
      condition: hasOwnKey,
    });
    const keyId = Fn.conditionIf(hasOwnKey.logicalId, key.attrArn, 'alias/aws/kinesis').toString();
    const stream = this.#addStream(name, keyId, given.RetentionHours.valueAsNumber);
    this.#allow(role, 'WritePolicy', 'write-events', streamWriting(stream.attrArn));
    const use = streamKeyUse({ keyArn: key.attrArn, streamArn: stream.attrArn, region: Aws.REGION });
    this.#allow(role, 'EncryptPolicy', 'encrypt-events', use).cfnOptions.condition = hasOwnKey;
    this.addOutputs({
      StreamName: ['The data stream.', stream.ref],
      StreamArn: ['The data stream, for the operator of OMI.', stream.attrArn],
      RoleArn: ['The role, for the operator of OMI.', role.attrArn],
      ExternalId: [
        'The external id with which the operator assumes the role.',
        given.ExternalId.valueAsString,
      ],
    });
  }

  /** The role is deleted with the stack, because its owner then wants no more events. */
  #addRole(given: Record<'OperatorAccountId' | 'OperatorRoleArns' | 'ExternalId', CfnParameter>): CfnRole {
    return new CfnRole(this, 'Role', {
      description: 'Assumed by OMI to write events into the data stream.',
      assumeRolePolicyDocument: roleTrustPolicy({
        operatorRoot: accountRootOf({
          partition: Aws.PARTITION,
          account: given.OperatorAccountId.valueAsString,
        }),
        operatorRoleArns: given.OperatorRoleArns.valueAsList,
        externalId: given.ExternalId.valueAsString,
      }),
    });
  }

  #addStream(name: string, keyId: string, retentionPeriodHours: number): CfnStream {
    const stream = new CfnStream(this, 'Stream', {
      name,
      // The capacity adapts to the load. A stream of fixed size would throttle at peaks.
      streamModeDetails: { streamMode: 'ON_DEMAND' },
      retentionPeriodHours,
      streamEncryption: { encryptionType: 'KMS', keyId },
    });
    stream.applyRemovalPolicy(RemovalPolicy.RETAIN);
    Validations.of(stream).acknowledge({
      id: 'AwsSolutions-KDS3',
      reason: "AWS's own key encrypts the stream, unless the tenant chooses to pay for its own key.",
    });
    return stream;
  }

  #allow(role: CfnRole, id: string, policyName: string, statement: Statement): CfnPolicy {
    return new CfnPolicy(this, id, { policyName, roles: [role.ref], policyDocument: policy(statement) });
  }
}

/** The stream needs the key, and the key's policy names the stream, so the ARN is made from the name. */
const streamArnOf = (name: string): string =>
  `arn:${Aws.PARTITION}:kinesis:${Aws.REGION}:${Aws.ACCOUNT_ID}:stream/${name}`;

const parameters = {
  ...roleParameters,
  'Your data stream': {
    StreamName: {
      label: 'Name',
      description: 'If empty, the name is made from the account and the stack.',
      default: '',
      allowedPattern: '^[a-zA-Z0-9_.-]{0,128}$',
      constraintDescription: 'Expected up to 128 letters, digits and _ . -',
    },
    RetentionHours: {
      label: 'Retention in hours',
      description: 'Your consumers can read an event for this time. More than 24 hours costs extra.',
      type: 'Number',
      default: 24,
      minValue: 24,
      maxValue: 8760,
    },
    Encryption: {
      label: 'Encryption at rest',
      description:
        "aws-key: AWS's own key, free of charge. own-key: the stack creates a key that you control.",
      default: 'aws-key',
      allowedValues: ['aws-key', 'own-key'],
    },
  },
};
