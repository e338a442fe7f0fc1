import { Aws, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnUserPoolGroup,
  FeaturePlan,
  Mfa,
  OAuthScope,
  UserPool,
  UserPoolClient,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { staffGroups } from '../../core/access/staff-member.ts';
import type { StaffConfig } from '../staff-config.ts';
import { published } from './published.ts';

/** Where a page signs its members in, and where it exchanges their codes. */
export type SignIn = { issuer: string; clientId: string; authorizationUrl: string; tokenUrl: string };

type Pool = { userPoolId: string; host: string; issuer: string };

/** The authorizers' settings for tokens of members of staff. */
export type StaffVariables =
  | { STAFF_ISSUER_KIND: 'cognito'; STAFF_USER_POOL_ID: string; STAFF_CLIENT_ID: string }
  | { STAFF_ISSUER_KIND: 'oidc'; STAFF_ISSUER: string; STAFF_CLIENT_ID: string; STAFF_GROUPS_CLAIM: string };

/** The pages where members sign in, with the setting that names the client of each at an issuer of the operator's own. */
const clientSettings = { console: 'clientId', exports: 'exportsClientId' } as const;
type Page = keyof typeof clientSettings;

/** Who signs members in: a user pool of the stage, or an issuer of the operator's own. */
export class StaffIdentity extends Construct {
  readonly #config: StaffConfig;
  readonly #pool: Pool | undefined;

  constructor(
    scope: Construct,
    id: string,
    { config, retain, stage }: { config: StaffConfig; retain: boolean; stage: string },
  ) {
    super(scope, id);
    this.#config = config;
    this.#pool = config.kind === 'pool' ? this.#createPool(config, { retain, stage }) : undefined;
  }

  /** Only operators add members. A password alone opens nothing. */
  #createPool(
    { domainPrefix }: Extract<StaffConfig, { kind: 'pool' }>,
    { retain, stage }: { retain: boolean; stage: string },
  ): Pool {
    const pool = new UserPool(this, 'Pool', {
      featurePlan: FeaturePlan.LITE,
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      // Codes by mail or SMS would let whoever reads them in. An operator resets a lost authenticator.
      mfa: Mfa.REQUIRED,
      mfaSecondFactor: { otp: true, sms: false },
      accountRecovery: AccountRecovery.NONE,
      passwordPolicy: {
        minLength: 14,
        requireDigits: true,
        requireLowercase: true,
        requireUppercase: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(3),
      },
      deletionProtection: retain,
      removalPolicy: retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(pool).acknowledge({
      id: 'AwsSolutions-COG3',
      reason:
        'Threat protection needs the most expensive plan. Members are few, sign in with a second factor, and cannot sign up.',
    });
    Validations.of(pool).acknowledge({
      id: 'AwsSolutions-COG8',
      reason: 'What the dearer plans add is not used: a second factor is required in every plan.',
    });
    for (const groupName of staffGroups)
      new CfnUserPoolGroup(this, groupName, { userPoolId: pool.userPoolId, groupName });
    const domain = pool.addDomain('Domain', {
      cognitoDomain: { domainPrefix: domainPrefix ?? `omi-${stage}-staff-${Aws.ACCOUNT_ID}` },
    });
    return {
      userPoolId: published(this, 'StaffPoolId', pool.userPoolId),
      host: published(this, 'StaffSignInUrl', domain.baseUrl()),
      issuer: published(this, 'StaffIssuer', pool.userPoolProviderUrl),
    };
  }

  /** Whether members can sign in at a page: an issuer of the operator's own needs a client for it. */
  serves(page: Page): boolean {
    return this.#config.kind === 'pool' || this.#config[clientSettings[page]] !== undefined;
  }

  /**
   * Makes the page's client of the pool, in the stack of the page, whose host its callback names. Each page has its own, so that tokens
   * for one open nothing of the other.
   */
  signInFor(page: Page, scope: Construct, host: string): SignIn {
    if (this.#config.kind === 'oidc') {
      const { issuer, authorizationUrl, tokenUrl, [clientSettings[page]]: own } = this.#config;
      if (own === undefined) throw new Error(`The issuer has no client for the page ${page}.`);
      return { issuer, clientId: own, authorizationUrl, tokenUrl };
    }
    const { clientId } = this.#client(scope, {
      callbackUrls: [`https://${host}/`],
      logoutUrls: [`https://${host}/`],
    });
    const base = this.#signInUrl;
    return {
      issuer: this.#pool?.issuer ?? '',
      clientId,
      authorizationUrl: `${base}/oauth2/authorize`,
      tokenUrl: `${base}/oauth2/token`,
    };
  }

  /** The origins that a page asks for its tokens. */
  get tokenOrigin(): string {
    return this.#config.kind === 'oidc' ? new URL(this.#config.tokenUrl).origin : this.#signInUrl;
  }

  /** @param signIn of the page; without a page members sign in by a tool of the operator's */
  variables(scope: Construct, signIn: SignIn | undefined): StaffVariables {
    if (this.#config.kind === 'oidc')
      return {
        STAFF_ISSUER_KIND: 'oidc',
        STAFF_ISSUER: this.#config.issuer,
        STAFF_CLIENT_ID: this.#config.clientId,
        STAFF_GROUPS_CLAIM: this.#config.groupsClaim,
      };
    return {
      STAFF_ISSUER_KIND: 'cognito',
      STAFF_USER_POOL_ID: this.#pool?.userPoolId ?? '',
      STAFF_CLIENT_ID: signIn?.clientId ?? this.#client(scope).clientId,
    };
  }

  get #signInUrl(): string {
    return this.#pool?.host ?? '';
  }

  #client(scope: Construct, urls?: { callbackUrls: string[]; logoutUrls: string[] }): { clientId: string } {
    const client = new UserPoolClient(scope, 'StaffClient', {
      userPool: UserPool.fromUserPoolId(scope, 'StaffPool', this.#pool?.userPoolId ?? ''),
      // A page keeps no secret. PKCE proves that it asked for the code.
      generateSecret: false,
      preventUserExistenceErrors: true,
      authFlows: urls ? {} : { userSrp: true },
      ...(urls
        ? { oAuth: { flows: { authorizationCodeGrant: true }, scopes: [OAuthScope.OPENID], ...urls } }
        : { disableOAuth: true }),
      accessTokenValidity: Duration.hours(1),
      idTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.hours(1),
    });
    return { clientId: client.userPoolClientId };
  }
}
