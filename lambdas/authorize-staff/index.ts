import { fetchDocument } from '../../core/access/fetch-document.ts';
import { staffIssuer } from '../../core/access/staff-issuer.ts';
import { createClaimsVerifier } from '../../core/access/token-verifier.ts';
import { edgeOf } from '../../core/http/edge.ts';
import { logger } from '../../core/kernel/observability.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment as schema } from './definition.ts';
import { createHandler } from './handler.ts';

const environment = parseEnvironment(schema, process.env);
const issuer = staffIssuer(environment, environment.STAFF_CLIENT_ID, fetchDocument);

export const handler = createHandler({
  verifyClaims: createClaimsVerifier(issuer),
  groupsClaim: issuer.groupsClaim,
  edge: edgeOf(process.env),
  logger,
});
