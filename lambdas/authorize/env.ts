import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';

const { TENANTS_TABLE } = variables.entries;
const text = v.pipe(v.string(), v.nonEmpty());
/** Name of the claim that must contain the id of the client's tenant. */
const TENANT_CLAIM = v.optional(text);
/** What responds with 401 to an invalid token: the endpoint's Lambda (default), or API Gateway. */
const UNAUTHORIZED_BY = v.optional(v.picklist(['gateway', 'lambda']));

export const environment = v.variant('TOKEN_ISSUER_KIND', [
  v.object({
    TOKEN_ISSUER_KIND: v.literal('cognito'),
    TENANTS_TABLE,
    TENANT_CLAIM,
    UNAUTHORIZED_BY,
    COGNITO_USER_POOL_ID: text,
  }),
  v.object({
    TOKEN_ISSUER_KIND: v.literal('oidc'),
    TENANTS_TABLE,
    TENANT_CLAIM,
    UNAUTHORIZED_BY,
    OIDC_ISSUER: v.pipe(v.string(), v.url()),
    /** Required `aud` of the tokens, if the issuer sets one. */
    OIDC_AUDIENCE: v.optional(text),
  }),
]);

export type Environment = v.InferOutput<typeof environment>;
