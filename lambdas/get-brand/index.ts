import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { BrandStore } from '../../core/tenants/brand-store.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);

export const handler = bodilessLambda(
  createHandler({ brands: new BrandStore(documentClient(), env.TENANTS_TABLE), baseUrl: env.BASE_URL }),
);
