import { Aws, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  FeaturePlan,
  ResourceServerScope,
  UserPool,
  type UserPoolDomain,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { scopes } from '../../lambdas/routes.ts';
import type { StageConfig } from '../config.ts';
import type { OwnEnvironment } from './service-function.ts';

export type IdentityProps = { issuer: StageConfig['identity']; retain: boolean };
type CognitoConfig = Extract<StageConfig['identity'], { kind: 'cognito' }>;
type OidcConfig = Extract<StageConfig['identity'], { kind: 'oidc' }>;

/** Who issues the access tokens of websites: a user pool of ours, or an OIDC issuer that exists already. */
export class Identity extends Construct {
  readonly issuer: string;
  /** Unknown for an external issuer that is configured without it; its discovery document has it. */
  readonly tokenUrl: string | undefined;
  readonly userPoolId: string | undefined;
  /** What the authorizer must know to check tokens. */
  readonly environment: OwnEnvironment<'authorize'>;

  constructor(scope: Construct, id: string, { issuer, retain }: IdentityProps) {
    super(scope, id);
    const source = issuer.kind === 'cognito' ? this.#userPool(issuer, retain) : external(issuer);
    this.issuer = source.issuer;
    this.tokenUrl = source.tokenUrl;
    this.userPoolId = source.userPoolId;
    this.environment = source.environment;
  }

  /**
   * A pool without users: websites get tokens by client credentials. The operator adds one client for each,
   * whose tokens live 1 h (Cognito's default).
   */
  #userPool({ domainPrefix }: CognitoConfig, retain: boolean): Source {
    const pool = new UserPool(this, 'UserPool', {
      // Client credentials are in every plan; the dearer ones add features for users who sign in.
      featurePlan: FeaturePlan.LITE,
      selfSignUpEnabled: false,
      accountRecovery: AccountRecovery.NONE,
      deletionProtection: retain,
      removalPolicy: retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    acknowledgeNoUsers(pool);
    pool.addResourceServer('Omi', {
      identifier: 'omi',
      scopes: scopes.map((name) => new ResourceServerScope({ scopeName: name, scopeDescription: name })),
    });
    const domain = pool.addDomain('Domain', {
      cognitoDomain: { domainPrefix: domainPrefix ?? `${Stack.of(this).stackName}-${Aws.ACCOUNT_ID}` },
    });
    return {
      issuer: pool.userPoolProviderUrl,
      tokenUrl: tokenUrlOf(domain),
      userPoolId: pool.userPoolId,
      environment: { TOKEN_ISSUER_KIND: 'cognito', COGNITO_USER_POOL_ID: pool.userPoolId },
    };
  }
}

type Source = Pick<Identity, 'issuer' | 'tokenUrl' | 'userPoolId' | 'environment'>;

const tokenUrlOf = (domain: UserPoolDomain): string => `${domain.baseUrl()}/oauth2/token`;

const external = ({ issuer, audience, tenantClaim, tokenUrl }: OidcConfig): Source => ({
  issuer,
  tokenUrl,
  userPoolId: undefined,
  environment: {
    TOKEN_ISSUER_KIND: 'oidc',
    OIDC_ISSUER: issuer,
    OIDC_AUDIENCE: audience,
    TENANT_CLAIM: tenantClaim,
  },
});

function acknowledgeNoUsers(pool: UserPool): void {
  const reason = 'The pool has no users and takes none in: it issues tokens to clients with a secret alone.';
  for (const rule of ['COG1', 'COG2', 'COG3', 'COG8']) {
    Validations.of(pool).acknowledge({ id: `AwsSolutions-${rule}`, reason });
  }
}
