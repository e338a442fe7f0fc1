import * as v from 'valibot';
import type { Handler } from '../../core/http/api-lambda.ts';
import { parseRequest } from '../../core/http/parse-request.ts';
import { tenantPath } from '../../core/http/request-schemas.ts';
import { cacheable, json } from '../../core/http/responses.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import { brandView } from '../../core/tenants/brand.ts';
import type { BrandStore } from '../../core/tenants/brand-store.ts';

const request = v.object({ path: tenantPath });

export type Deps = { brands: Pick<BrandStore, 'find'>; baseUrl: string };

export const createHandler =
  ({ brands, baseUrl }: Deps): Handler =>
  async (event) => {
    const { path } = parseRequest(request, { path: event.pathParameters });
    const tenant = await brands.find(path.tenantId);
    if (!tenant) throw new Refusal('tenant-not-found', 'There is no such tenant.');
    return json(200, brandView(tenant, baseUrl), cacheable);
  };
