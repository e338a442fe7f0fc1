import { Aws, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccountRootPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key, KeySpec, KeyUsage, type KeyProps } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { lambdaRoleNameOf } from '../../core/export/kinds/policies/operator-roles.ts';
import { factsOf, type LambdaName, lambdaNames } from '../../lambdas/registered.ts';
import type { StageConfig } from '../config.ts';
import { type KeyUse, keyNameOf, keySettings, keyUses, type SigningUse } from '../key-names.ts';
import { exported, published } from './published.ts';
import type { ServiceFunction } from './service-function.ts';

type KeySettings = Pick<StageConfig, 'stage' | 'signingKeys' | 'receiptKeys' | 'signalKeys' | 'logKeys'> & {
  data: Pick<StageConfig['data'], 'keys'>;
};

export type KeysProps = {
  config: KeySettings;
  retain: boolean;
};

/** What a key signs, as the record of all keys has it. */
export type PublicKeyUse = 'token' | 'receipt' | 'log';

/** What other stacks know of a key. */
export type KeyReference = { keyId: string; keyArn: string };

/** `signingId` is an import: while a stack has it, no update can take the key away. */
type SigningKey = KeyReference & { signingId: string };

/** The keys for one use. The first one signs. The Lambdas may sign with all of them, so that no version loses its key by an update. */
type SigningKeys = readonly [SigningKey, ...SigningKey[]];

/** The KMS keys of a stage: one that encrypts secrets at rest, and those that sign tokens, receipts, signals and checkpoints. */
export class Keys extends Construct {
  readonly secretsKeyId: string;
  readonly #secrets: KeyReference;
  readonly #tokens: SigningKeys;
  readonly #receipts: SigningKeys;
  readonly #signals: SigningKeys;
  readonly #logs: SigningKeys;

  constructor(scope: Construct, id: string, props: KeysProps) {
    super(scope, id);
    const { config, retain } = props;
    const removalPolicy = retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const common = { removalPolicy, pendingWindow: Duration.days(7) };
    const create = (use: KeyUse, name: string, props: KeyProps): IKey => {
      const id = keyNameOf(use, name);
      const replica = config.data.keys[id];
      if (replica !== undefined) return Key.fromKeyArn(this, id, arnOfReplica(this, replica));
      const policy = keyPolicyOf(config.stage, use);
      // Another region can have a replica only of a key that was created for it, and it cannot be changed later.
      return new Key(this, id, { ...common, ...props, policy, multiRegion: true });
    };
    const secrets = create('secrets', '', {
      description: 'OMI: encrypts secrets of callbacks, pings and webhooks',
      enableKeyRotation: true,
    });
    const signing = (use: SigningUse, what: string, keySpec = KeySpec.ECC_NIST_P256) => {
      const [first, ...others] = config[keySettings[use]].map((name) =>
        create(use, name, {
          description: `OMI: signs ${what} (${name})`,
          keySpec,
          keyUsage: KeyUsage.SIGN_VERIFY,
        }),
      );
      // The settings have at least one.
      return [first, ...others] as [IKey, ...IKey[]];
    };
    const tokens = signing('signing', 'tokens');
    const receipts = signing('receipts', 'receipts of enrolments');
    // The CAEP Interoperability Profile asks for RS256.
    const signals = signing('signals', 'signals', KeySpec.RSA_2048);
    const logs = signing('log', 'checkpoints of logs');
    this.#secrets = {
      keyId: published(secrets, 'SecretsKeyId', secrets.keyId),
      keyArn: published(secrets, 'SecretsKeyArn', secrets.keyArn),
    };
    this.#tokens = signingKeysOf(tokens);
    this.#receipts = signingKeysOf(receipts);
    this.#signals = signingKeysOf(signals);
    this.#logs = signingKeysOf(logs);
    this.secretsKeyId = this.#secrets.keyId;
  }

  /** Those whose public halves are published. */
  get published(): Readonly<Record<PublicKeyUse, SigningKeys>> {
    return { token: this.#tokens, receipt: this.#receipts, log: this.#logs };
  }

  /** Grants the Lambda what its definition states. */
  serve(lambda: ServiceFunction<LambdaName>): void {
    const { secrets, signing, receipts, signals, log } = factsOf(lambda.name).kms ?? {};
    if (secrets) this.#grant(lambda, [this.#secrets], secrets);
    if (signing) this.#grant(lambda, this.#tokens, signing);
    if (receipts) this.#grant(lambda, this.#receipts, receipts);
    if (signals) this.#grant(lambda, this.#signals, signals);
    if (log) this.#grant(lambda, this.#logs, log);
  }

  get variables() {
    return {
      SECRETS_KEY_ID: this.secretsKeyId,
      SIGNING_KEY_ID: this.#tokens[0].signingId,
      RECEIPT_KEY_ID: this.#receipts[0].signingId,
      SIGNAL_KEY_IDS: this.#signals
        .map(({ signingId, keyId }, at) => (at === 0 ? signingId : keyId))
        .join(','),
      LOG_KEY_ID: this.#logs[0].signingId,
    };
  }

  #grant(lambda: ServiceFunction, keys: readonly KeyReference[], names: readonly string[]): void {
    lambda.allow(
      names.map((name) => `kms:${name}`),
      keys.map(({ keyArn }) => keyArn),
    );
  }
}

type KeyUser = { lambda: LambdaName; action: string };

/** The Lambdas that do with a key what IAM policies alone cannot allow. */
const usersOf = (use: KeyUse): KeyUser[] =>
  lambdaNames.flatMap((lambda) => {
    const actions: readonly string[] = factsOf(lambda).kms?.[use] ?? [];
    return actions
      .map((name) => ({ lambda, action: `kms:${name}` }))
      .filter(({ action }) => limited.has(action));
  });

/** True if the policy of a key names the Lambda's role. */
export const usesLimitedKey = (name: LambdaName): boolean =>
  keyUses.some((use) => usersOf(use).some(({ lambda }) => lambda === name));

const roleArnOf = (stage: string, lambda: LambdaName): string =>
  `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/${lambdaRoleNameOf({ stage, region: Aws.REGION }, lambda)}`;

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

/** A replica has the id of the key in the other region. */
const arnOfReplica = (scope: Construct, resourceName: string): string =>
  Stack.of(scope).formatArn({ service: 'kms', resource: 'key', resourceName });

/**
 * The policy of a key, or of its replica in another region, for the roles of the region that the key is in. It names the roles, so
 * no policy of another role or user in the account can allow the action. The condition compares their ARNs: a role that was
 * created again still works. The roles are in other stacks, so their ARNs are made of their names.
 */
export function keyPolicyOf(stage: string, use: KeyUse): PolicyDocument {
  const limits = [...Map.groupBy(usersOf(use), ({ action }) => action)].map(([action, users]) =>
    statement([action], {
      ArnEquals: { 'aws:PrincipalArn': users.map(({ lambda }) => roleArnOf(stage, lambda)) },
    }),
  );
  return new PolicyDocument({
    statements: [
      statement(administration),
      // An operator may store a secret, but not read it.
      ...(use === 'secrets' ? [statement(['kms:Encrypt'])] : []),
      ...limits,
    ],
  });
}

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

function signingKeyOf(key: IKey): SigningKey {
  const name = key.node.id;
  const { weak, imported } = exported(key, `${name}KeyId`, key.keyId);
  return { keyId: weak, signingId: imported, keyArn: published(key, `${name}KeyArn`, key.keyArn) };
}

const signingKeysOf = ([first, ...others]: readonly [IKey, ...IKey[]]): SigningKeys => [
  signingKeyOf(first),
  ...others.map(signingKeyOf),
];
