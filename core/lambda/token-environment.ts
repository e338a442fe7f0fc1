import * as v from 'valibot';
import { variables } from './environment.ts';

const text = v.pipe(v.string(), v.nonEmpty());
const url = v.pipe(v.string(), v.url());

const ofEither = {
  TENANTS_TABLE: variables.entries.TENANTS_TABLE,
  /** Name of the claim that must contain the id of the client's tenant. */
  TENANT_CLAIM: v.optional(text),
  UNAUTHORIZED_BY: v.optional(v.picklist(['gateway', 'lambda'])),
};

/** The variables of Lambdas that verify tokens of websites. */
export const websiteTokenVariables = v.variant('TOKEN_ISSUER_KIND', [
  v.object({ TOKEN_ISSUER_KIND: v.literal('cognito'), ...ofEither, COGNITO_USER_POOL_ID: text }),
  v.object({
    TOKEN_ISSUER_KIND: v.literal('oidc'),
    ...ofEither,
    OIDC_ISSUER: url,
    /** Required `aud` of the tokens, if the issuer sets one. */
    OIDC_AUDIENCE: v.optional(text),
  }),
]);

/**
 * The variables of Lambdas that verify tokens of members.
 *
 * @param client the variable with the client that every token names
 */
export const memberTokenVariables = <const Client extends v.ObjectEntries>(client: Client) =>
  v.variant('STAFF_ISSUER_KIND', [
    v.object({ STAFF_ISSUER_KIND: v.literal('cognito'), ...client, STAFF_USER_POOL_ID: text }),
    v.object({
      STAFF_ISSUER_KIND: v.literal('oidc'),
      ...client,
      STAFF_ISSUER: url,
      /** The claim with the groups of a member. */
      STAFF_GROUPS_CLAIM: text,
    }),
  ]);

/** The client of a page, by its variable. */
export const clientOf = {
  helpDesk: { STAFF_CLIENT_ID: text },
  /** Nobody signs in at the exports page without one. */
  exportsPage: { EXPORTS_CLIENT_ID: v.optional(text) },
};
