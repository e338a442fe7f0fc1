import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { DeviceStore } from '../../core/devices/device-store.ts';
import { EnrolmentStore } from '../../core/enrolment/enrolment-store.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { BrandStore } from '../../core/tenants/brand-store.ts';
import * as v from 'valibot';
import { previewEnrolment } from '../../core/enrolment/preview-enrolment.ts';
import { parseRequest } from '../../core/http/parse-request.ts';
import { previewBody } from '../../core/http/request-schemas.ts';
import { json } from '../../core/http/responses.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = {
  enrolments: new EnrolmentStore(client, env.ENROLMENTS_TABLE),
  devices: new DeviceStore(client, env.DEVICES_TABLE),
  brands: new BrandStore(client, env.TENANTS_TABLE),
  baseUrl: env.BASE_URL,
};

const request = v.object({ body: previewBody });

export const handler = jsonLambda(async (event) => {
  const { body } = parseRequest(request, { body: event.body });
  return json(200, await previewEnrolment(deps, body.code, Date.now()));
});
