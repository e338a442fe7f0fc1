import { CustomResource, Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { LambdaCode } from '../lambda-code.ts';
import type { Data } from './data.ts';
import type { KeyReference, Keys, PublicKeyUse } from './keys.ts';
import { type LogSettings, ServiceFunction } from './service-function.ts';

export type PublishedKeysProps = {
  stage: string;
  code: LambdaCode;
  logs: LogSettings;
  /** Has the record of all public keys. */
  data: Data;
  keys: Keys;
};

/**
 * Records the public keys, so that they outlive the keys. Lambdas that sign get the names of their keys from it, so no key
 * signs before it is recorded.
 */
export class PublishedKeys extends Construct {
  /** Names of the keys that sign, among the published ones. */
  readonly kids: Readonly<Record<PublicKeyUse, string>>;

  constructor(scope: Construct, id: string, { stage, code, logs, data, keys }: PublishedKeysProps) {
    super(scope, id);
    const publisher = new ServiceFunction(this, {
      name: 'publish-keys',
      stage,
      code,
      logs,
      timeout: Duration.minutes(1),
    });
    const { token, receipt, log } = keys.published;
    const grants = [
      publisher.allow(
        ['kms:GetPublicKey'],
        [...token, ...receipt, ...log].map(({ keyArn }) => keyArn),
      ),
      ...data.allow(publisher, 'tenants', ['Query', 'PutItem']),
    ];
    const idsOf = (its: readonly KeyReference[]): string[] => its.map(({ keyId }) => keyId);
    const resource = new CustomResource(this, 'Published', {
      resourceType: 'Custom::PublishedKeys',
      serviceToken: publisher.function.functionArn,
      serviceTimeout: Duration.minutes(3),
      properties: {
        table: data.tables.tenants.tableName,
        ...{ token: idsOf(token), receipt: idsOf(receipt), log: idsOf(log) },
      },
    });
    for (const grant of grants) grant.applyBefore(resource);
    const kidOf = (use: PublicKeyUse): string => resource.getAttString(`${use}Kid`);
    this.kids = { token: kidOf('token'), receipt: kidOf('receipt'), log: kidOf('log') };
  }

  get variables() {
    return { SIGNING_KID: this.kids.token, RECEIPT_KID: this.kids.receipt, LOG_KID: this.kids.log };
  }
}
