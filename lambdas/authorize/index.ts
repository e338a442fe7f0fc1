import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { TenantStore } from '../../core/tenants/tenant-store.ts';
import { edgeOf } from '../../core/http/edge.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { logger } from '../../core/kernel/observability.ts';
import { environment as schema } from './definition.ts';
import { createHandler } from './handler.ts';
import { createTokenVerifier } from '../../core/access/token-verifier.ts';

const environment = parseEnvironment(schema, process.env);

export const handler = createHandler({
  verifyToken: createTokenVerifier(environment),
  tenants: new TenantStore(documentClient(), environment.TENANTS_TABLE),
  tenantClaim: environment.TENANT_CLAIM,
  unauthorizedBy: environment.UNAUTHORIZED_BY,
  edge: edgeOf(process.env),
  logger,
});
