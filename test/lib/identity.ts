import { describe, expect, test } from '@jest/globals';
import { scopes } from '../../lambdas/routes.ts';
import { bareOidc, oidc } from './settings.ts';
import { environmentsOf, synthesize } from './synthesize.ts';

describe('a stage with defaults', () => {
  const template = synthesize('production');

  test('has a user pool that issues the tokens, with every scope of the routes', () => {
    template.hasResourceProperties('AWS::Cognito::UserPoolResourceServer', {
      Identifier: 'omi',
      Scopes: scopes.map((name) => ({ ScopeName: name, ScopeDescription: name })),
    });
    expect(environmentsOf(template).get('authorize')).toMatchObject({
      TOKEN_ISSUER_KIND: 'cognito',
      COGNITO_USER_POOL_ID: { Ref: 'IdentityUserPool96FE3B9B' },
    });
  });
});

describe('a stage with an OIDC issuer', () => {
  const template = synthesize('dev', oidc);

  test('passes the issuer, the audience and the claim to the authorizer', () => {
    const environment = environmentsOf(template).get('authorize');
    expect(environment).toMatchObject({
      TOKEN_ISSUER_KIND: 'oidc',
      OIDC_ISSUER: 'https://id.example.com',
      OIDC_AUDIENCE: 'omi',
      TENANT_CLAIM: 'org',
    });
    expect(environment).not.toHaveProperty('COGNITO_USER_POOL_ID');
  });

  test('omits unset settings from the environment, because an empty audience would match no token', () => {
    const bare = synthesize('staging', bareOidc);
    expect(environmentsOf(bare).get('authorize')).not.toHaveProperty('OIDC_AUDIENCE');
    expect(bare.toJSON()).not.toHaveProperty('Outputs.TokenUrl');
  });
});
