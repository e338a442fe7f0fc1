import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { BrandStore } from '../../core/tenants/brand-store.ts';
import * as v from 'valibot';
import { parseRequest } from '../../core/http/parse-request.ts';
import { tenantPath } from '../../core/http/request-schemas.ts';
import { cacheable, json } from '../../core/http/responses.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import { brandView } from '../../core/tenants/brand.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const brands = new BrandStore(documentClient(), env.TENANTS_TABLE);

const { APP_NAME: name, APP_COLOR: color } = env;
/** The users' app, by the stage's brand. */
const app = name === undefined ? undefined : { name, ...(color !== undefined && { color }) };

const request = v.object({ path: tenantPath });

export const handler = bodilessLambda(async (event) => {
  const { path } = parseRequest(request, { path: event.pathParameters });
  const tenant = await brands.find(path.tenantId);
  if (!tenant) throw new Refusal('tenant-not-found', 'There is no such tenant.');
  return json(200, { ...brandView(tenant, env.BASE_URL), ...(app && { app }) }, cacheable);
});
