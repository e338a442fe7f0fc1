import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { BrandStore } from '../../core/tenants/brand-store.ts';
import * as v from 'valibot';
import { parseRequest } from '../../core/http/parse-request.ts';
import { tenantPath } from '../../core/http/request-schemas.ts';
import { cacheable } from '../../core/http/responses.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import { logoTypes } from '../../core/tenants/brand.ts';
import { environment } from './definition.ts';

const { TENANTS_TABLE } = parseEnvironment(environment, process.env);
const brands = new BrandStore(documentClient(), TENANTS_TABLE);

const request = v.object({ path: tenantPath });

/** A file of a tenant runs nothing and loads nothing, also when it is opened as a page. */
const inert = { 'content-security-policy': "default-src 'none'; sandbox" };

export const handler = bodilessLambda(async (event) => {
  const { path } = parseRequest(request, { path: event.pathParameters });
  const logo = await brands.findLogo(path.tenantId);
  if (!logo) throw new Refusal('tenant-not-found', 'There is no such tenant, or it has no logo.');
  return {
    statusCode: 200,
    headers: { 'content-type': logoTypes[logo.format], ...inert, ...cacheable },
    body: Buffer.from(logo.bytes).toString('base64'),
    isBase64Encoded: true,
  };
});
