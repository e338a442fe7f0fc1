import { Aws, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  FeaturePlan,
  ResourceServerScope,
  UserPool,
  type UserPoolDomain,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type { EnvironmentOf } from '../../lambdas/registered.ts';
import { scopes } from '../../lambdas/routes.ts';
import type { StageConfig } from '../config.ts';
import { published } from './published.ts';

export type IdentityProps = { issuer: StageConfig['identity']; retain: boolean; stage: string };
type CognitoConfig = Extract<StageConfig['identity'], { kind: 'cognito' }>;
type OidcConfig = Extract<StageConfig['identity'], { kind: 'oidc' }>;

const resourceServer = 'omi';

/** The issuer of the websites' access tokens: an own user pool, or an existing OIDC issuer. */
export class Identity extends Construct {
  /** Undefined if an external issuer is configured without it. Its discovery document contains it. */
  readonly tokenUrl: string | undefined;
  readonly userPoolId: string | undefined;
  /** What stands before each scope in a request for a token. */
  readonly scopePrefix: string;
  /** The authorizer's settings for checking tokens. */
  readonly variables: TokenVariables;

  constructor(scope: Construct, id: string, { issuer, retain, stage }: IdentityProps) {
    super(scope, id);
    const source = issuer.kind === 'cognito' ? this.#userPool(issuer, { retain, stage }) : external(issuer);
    published(this, 'Issuer', source.issuer);
    const tokenUrl = source.tokenUrl === undefined ? undefined : published(this, 'TokenUrl', source.tokenUrl);
    // Another issuer's is known before the deployment.
    this.tokenUrl = issuer.kind === 'cognito' ? tokenUrl : source.tokenUrl;
    this.userPoolId = source.userPoolId;
    this.scopePrefix = source.userPoolId === undefined ? '' : `${resourceServer}/`;
    this.variables = source.variables;
  }

  /**
   * A pool without users. The operator adds a client for each website, which gets tokens by client credentials. They live
   * 1 h, Cognito's default.
   */
  #userPool(
    { domainPrefix }: CognitoConfig,
    { retain, stage }: Pick<IdentityProps, 'retain' | 'stage'>,
  ): Source {
    const pool = new UserPool(this, 'UserPool', {
      // Every plan has client credentials. More expensive plans add features for users who sign in.
      featurePlan: FeaturePlan.LITE,
      selfSignUpEnabled: false,
      accountRecovery: AccountRecovery.NONE,
      deletionProtection: retain,
      removalPolicy: retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    acknowledgeNoUsers(pool);
    pool.addResourceServer('Omi', {
      identifier: resourceServer,
      scopes: scopes.map((name) => new ResourceServerScope({ scopeName: name, scopeDescription: name })),
    });
    const domain = pool.addDomain('Domain', {
      cognitoDomain: { domainPrefix: domainPrefix ?? `omi-${stage}-${Aws.ACCOUNT_ID}` },
    });
    const userPoolId = published(this, 'UserPoolId', pool.userPoolId);
    return {
      issuer: pool.userPoolProviderUrl,
      tokenUrl: tokenUrlOf(domain),
      userPoolId,
      variables: { TOKEN_ISSUER_KIND: 'cognito', COGNITO_USER_POOL_ID: userPoolId },
    };
  }
}

/** The variables of either issuer. */
type TokenVariables = WithoutOthers<EnvironmentOf<'authorize'>>;
type WithoutOthers<Environment> = Environment extends unknown ? Omit<Environment, 'TENANTS_TABLE'> : never;

type Source = Pick<Identity, 'tokenUrl' | 'userPoolId' | 'variables'> & { issuer: string };

const tokenUrlOf = (domain: UserPoolDomain): string => `${domain.baseUrl()}/oauth2/token`;

const external = ({ issuer, audience, tenantClaim, tokenUrl }: OidcConfig): Source => ({
  issuer,
  tokenUrl,
  userPoolId: undefined,
  variables: {
    TOKEN_ISSUER_KIND: 'oidc',
    OIDC_ISSUER: issuer,
    OIDC_AUDIENCE: audience,
    TENANT_CLAIM: tenantClaim,
  },
});

function acknowledgeNoUsers(pool: UserPool): void {
  const reason =
    'The pool has no users and allows no sign-up. It issues tokens only to clients with a secret.';
  for (const rule of ['COG1', 'COG2', 'COG3', 'COG8']) {
    Validations.of(pool).acknowledge({ id: `AwsSolutions-${rule}`, reason });
  }
}
