import { memberTokens } from '../../core/access/exports-member.ts';
import { createTokenVerifier } from '../../core/access/token-verifier.ts';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { edgeOf } from '../../core/http/edge.ts';
import { logger } from '../../core/kernel/observability.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { TenantStore } from '../../core/tenants/tenant-store.ts';
import { environment as schema } from './definition.ts';
import { createHandler } from './handler.ts';

const environment = parseEnvironment(schema, process.env);
const tenants = new TenantStore(documentClient(), environment.TENANTS_TABLE);
const { EXPORTS_CLIENT_ID: clientId } = environment;

export const handler = createHandler({
  verifyToken: createTokenVerifier(environment),
  tenants,
  tenantClaim: environment.TENANT_CLAIM,
  members: clientId === undefined ? undefined : memberTokens(environment, clientId, tenants),
  unauthorizedBy: environment.UNAUTHORIZED_BY,
  edge: edgeOf(process.env),
  logger,
});
