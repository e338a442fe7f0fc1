import * as v from 'valibot';
import type { Handler } from '../../core/http/api-lambda.ts';
import { parseRequest } from '../../core/http/parse-request.ts';
import { tenantPath } from '../../core/http/request-schemas.ts';
import { cacheable } from '../../core/http/responses.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import { logoTypes } from '../../core/tenants/brand.ts';
import type { BrandStore } from '../../core/tenants/brand-store.ts';

const request = v.object({ path: tenantPath });

/** A file of a tenant runs nothing and loads nothing, also when it is opened as a page. */
const inert = { 'content-security-policy': "default-src 'none'; sandbox" };

export const createHandler =
  ({ brands }: { brands: Pick<BrandStore, 'findLogo'> }): Handler =>
  async (event) => {
    const { path } = parseRequest(request, { path: event.pathParameters });
    const logo = await brands.findLogo(path.tenantId);
    if (!logo) throw new Refusal('tenant-not-found', 'There is no such tenant, or it has no logo.');
    return {
      statusCode: 200,
      headers: { 'content-type': logoTypes[logo.format], ...inert, ...cacheable },
      body: Buffer.from(logo.bytes).toString('base64'),
      isBase64Encoded: true,
    };
  };
