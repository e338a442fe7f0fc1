import { Duration, Lazy, RemovalPolicy } from 'aws-cdk-lib';
import { AccountRootPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage, type KeyProps } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { LambdaName } from '../../lambdas/environments.ts';
import { access, type KmsAccess } from '../access.ts';
import type { StageConfig } from '../config.ts';
import type { ServiceFunction } from './service-function.ts';

export type KeysProps = { signingKeys: StageConfig['signingKeys']; retain: boolean };

/** The KMS keys of a stage: one that encrypts secrets at rest, and those that sign tokens. */
export class Keys extends Construct {
  readonly secretsKeyId: string;
  readonly #secrets: Key;
  /** The first one signs. The public halves of all are published. */
  readonly #signing: readonly Key[];
  /** ARNs of the roles that may use a key, by key and action. */
  readonly #users = new Map<string, string[]>();

  constructor(scope: Construct, id: string, { signingKeys, retain }: KeysProps) {
    super(scope, id);
    const removalPolicy = retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const common = { removalPolicy, pendingWindow: Duration.days(7) };
    this.#secrets = createKey(this, 'Secrets', {
      ...common,
      description: 'OMI: encrypts secrets of call-backs, pings and webhooks',
      enableKeyRotation: true,
    });
    // An operator may store a secret, but not read it.
    this.#secrets.addToResourcePolicy(statement(['kms:Encrypt']));
    this.#signing = signingKeys.map((name) =>
      createKey(this, `Signing${name}`, {
        ...common,
        description: `OMI: signs tokens (${name})`,
        keySpec: KeySpec.ECC_NIST_P256,
        keyUsage: KeyUsage.SIGN_VERIFY,
      }),
    );
    this.secretsKeyId = this.#secrets.keyId;
  }

  /** Grants the Lambda what {@link access} lists, and sets the keys' ids in its environment. */
  serve(lambda: ServiceFunction<LambdaName>): void {
    const { kms = {} }: { kms?: KmsAccess } = access[lambda.name];
    const [signing] = this.#signing;
    if (kms.secrets) {
      this.#grant(lambda, this.#secrets, kms.secrets);
      lambda.setVariable('SECRETS_KEY_ID', this.#secrets.keyId);
    }
    if (kms.signing && signing) {
      this.#grant(lambda, signing, kms.signing);
      lambda.setVariable('SIGNING_KEY_ID', signing.keyId);
    }
    if (kms.published) {
      for (const key of this.#signing) this.#grant(lambda, key, kms.published);
      lambda.setVariable('PUBLISHED_KEY_IDS', this.#signing.map(({ keyId }) => keyId).join(','));
    }
  }

  #grant(lambda: ServiceFunction, key: Key, names: readonly string[]): void {
    const actions = names.map((name) => `kms:${name}`);
    lambda.allow(actions, [key.keyArn]);
    for (const action of actions.filter((one) => limited.has(one))) this.#limit(lambda, key, action);
  }

  /**
   * The key's policy names the roles, so no policy of another role or user in the account can allow the action. The
   * condition compares their ARNs: a role that was created again still works.
   */
  #limit(lambda: ServiceFunction, key: Key, action: string): void {
    const id = `${key.node.id} ${action}`;
    const known = this.#users.get(id);
    const users = known ?? [];
    users.push(lambda.roleArn);
    if (known) return;
    this.#users.set(id, users);
    const roles = Lazy.list({ produce: () => users });
    key.addToResourcePolicy(statement([action], { ArnEquals: { 'aws:PrincipalArn': roles } }));
  }
}

/** Actions that IAM policies alone cannot allow: who may sign tokens, and who may read secrets. */
const limited: ReadonlySet<string> = new Set(['kms:Sign', 'kms:Decrypt']);

/**
 * "Allows key administrators to administer the KMS key" in KMS's guide, but without grants: with one, an administrator could
 * use the key. `Get*` includes the public key.
 */
const administration = [
  ...[
    'CreateAlias',
    'Delete*',
    'Describe*',
    'Disable*',
    'Enable*',
    'Get*',
    'List*',
    'Put*',
    'Revoke*',
    'Update*',
  ],
  ...['TagResource', 'UntagResource', 'ScheduleKeyDeletion', 'CancelKeyDeletion'],
].map((action) => `kms:${action}`);

/** For everyone in the account whose own policies allow it, too. */
const statement = (
  actions: string[],
  conditions?: Record<string, Record<string, unknown>>,
): PolicyStatement =>
  new PolicyStatement({
    principals: [new AccountRootPrincipal()],
    actions,
    resources: ['*'],
    ...(conditions && { conditions }),
  });

const createKey = (scope: Construct, id: string, props: KeyProps): Key =>
  new Key(scope, id, {
    ...props,
    policy: new PolicyDocument({ statements: [statement(administration)] }),
  });
