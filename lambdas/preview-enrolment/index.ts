import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { DeviceStore } from '../../core/devices/device-store.ts';
import { EnrolmentStore } from '../../core/enrolment/enrolment-store.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { BrandStore } from '../../core/tenants/brand-store.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();

export const handler = jsonLambda(
  createHandler({
    enrolments: new EnrolmentStore(client, env.ENROLMENTS_TABLE),
    devices: new DeviceStore(client, env.DEVICES_TABLE),
    brands: new BrandStore(client, env.TENANTS_TABLE),
    baseUrl: env.BASE_URL,
  }),
);
