import { documentClient } from '../../core/adapters/dynamodb.ts';
import { TenantStore } from '../../core/adapters/tenant-store.ts';
import { edgeOf } from '../../core/domain/edge.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { logger } from '../../core/observability.ts';
import { environment as schema } from './env.ts';
import { createHandler } from './handler.ts';
import { createTokenVerifier } from './token-verifier.ts';

const environment = parseEnvironment(schema, process.env);

export const handler = createHandler({
  verifyToken: createTokenVerifier(environment),
  tenants: new TenantStore(documentClient(), environment.TENANTS_TABLE),
  tenantClaim: environment.TENANT_CLAIM,
  unauthorizedBy: environment.UNAUTHORIZED_BY,
  edge: edgeOf(process.env),
  logger,
});
