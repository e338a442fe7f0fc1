import { CustomResource, Duration, Lazy, RemovalPolicy } from 'aws-cdk-lib';
import { AccountRootPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage, type KeyProps } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { factsOf, type LambdaName } from '../../lambdas/registered.ts';
import type { StageConfig } from '../config.ts';
import type { LambdaCode } from '../lambda-code.ts';
import type { Data } from './data.ts';
import { type LogSettings, ServiceFunction } from './service-function.ts';

export type KeysProps = {
  config: Pick<StageConfig, 'stage' | 'signingKeys' | 'receiptKeys'>;
  /** Has the record of all public keys. */
  data: Data;
  code: LambdaCode;
  logs: LogSettings;
  retain: boolean;
};

/** The keys for one use. The first one signs. The public halves of all are published. */
type SigningKeys = readonly [Key, ...Key[]];

/** The KMS keys of a stage: one that encrypts secrets at rest, and those that sign tokens and receipts. */
export class Keys extends Construct {
  readonly secretsKeyId: string;
  /** Names of the keys that sign, among the published ones. */
  readonly kids: Readonly<Record<'token' | 'receipt', string>>;
  readonly #secrets: Key;
  readonly #tokens: SigningKeys;
  readonly #receipts: SigningKeys;
  /** ARNs of the roles that may use a key, by key and action. */
  readonly #users = new Map<string, string[]>();

  constructor(scope: Construct, id: string, props: KeysProps) {
    super(scope, id);
    const { config, retain } = props;
    const removalPolicy = retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const common = { removalPolicy, pendingWindow: Duration.days(7) };
    this.#secrets = createKey(this, 'Secrets', {
      ...common,
      description: 'OMI: encrypts secrets of call-backs, pings and webhooks',
      enableKeyRotation: true,
    });
    // An operator may store a secret, but not read it.
    this.#secrets.addToResourcePolicy(statement(['kms:Encrypt']));
    const signing = (prefix: string, what: string, [first, ...others]: readonly [string, ...string[]]) => {
      const create = (name: string): Key =>
        createKey(this, `${prefix}${name}`, {
          ...common,
          description: `OMI: signs ${what} (${name})`,
          keySpec: KeySpec.ECC_NIST_P256,
          keyUsage: KeyUsage.SIGN_VERIFY,
        });
      return [create(first), ...others.map(create)] as const;
    };
    this.#tokens = signing('Signing', 'tokens', config.signingKeys);
    this.#receipts = signing('Receipts', 'receipts of enrolments', config.receiptKeys);
    this.secretsKeyId = this.#secrets.keyId;
    this.kids = this.#publish(props);
  }

  /**
   * Records the public keys, so that they outlive the keys. Lambdas that sign get the names of their keys from it, so no key
   * signs before it is recorded.
   */
  #publish({ config: { stage }, data, code, logs }: KeysProps): Keys['kids'] {
    const publisher = new ServiceFunction(this, {
      name: 'publish-keys',
      stage,
      code,
      logs,
      timeout: Duration.minutes(1),
    });
    const keys = [...this.#tokens, ...this.#receipts];
    const grants = [
      publisher.allow(
        ['kms:GetPublicKey'],
        keys.map(({ keyArn }) => keyArn),
      ),
      ...data.allow(publisher, 'tenants', ['Query', 'PutItem']),
    ];
    const idsOf = (its: SigningKeys): string[] => its.map(({ keyId }) => keyId);
    const resource = new CustomResource(this, 'Published', {
      resourceType: 'Custom::PublishedKeys',
      serviceToken: publisher.function.functionArn,
      serviceTimeout: Duration.minutes(3),
      properties: {
        table: data.tables.tenants.tableName,
        token: idsOf(this.#tokens),
        receipt: idsOf(this.#receipts),
      },
    });
    for (const grant of grants) grant.applyBefore(resource);
    return { token: resource.getAttString('tokenKid'), receipt: resource.getAttString('receiptKid') };
  }

  /** Grants the Lambda what its `access.ts` states. */
  serve(lambda: ServiceFunction<LambdaName>): void {
    const { secrets, signing, receipts, published } = factsOf(lambda.name).kms ?? {};
    if (secrets) this.#grant(lambda, this.#secrets, secrets);
    if (signing) this.#grant(lambda, this.#tokens[0], signing);
    if (receipts) this.#grant(lambda, this.#receipts[0], receipts);
    if (published) for (const key of this.#tokens) this.#grant(lambda, key, published);
  }

  get variables() {
    return {
      SECRETS_KEY_ID: this.secretsKeyId,
      SIGNING_KEY_ID: this.#tokens[0].keyId,
      SIGNING_KID: this.kids.token,
      RECEIPT_KEY_ID: this.#receipts[0].keyId,
      RECEIPT_KID: this.kids.receipt,
      PUBLISHED_KEY_IDS: this.#tokens.map(({ keyId }) => keyId).join(','),
    };
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

/** Actions that IAM policies alone cannot allow: who may sign, and who may read secrets. */
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
