import { ConfirmationStore } from '../../core/confirmations/confirmation-store.ts';
import { DeviceStore } from '../../core/devices/device-store.ts';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { EnrolmentStore } from '../../core/enrolment/enrolment-store.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = {
  enrolments: new EnrolmentStore(client, env.ENROLMENTS_TABLE),
  devices: new DeviceStore(client, env.DEVICES_TABLE),
  confirmations: new ConfirmationStore(client, env.CONFIRMATIONS_TABLE),
};

export const handler = jsonLambda(createHandler({ ...deps, appLink: env.APP_LINK, baseUrl: env.BASE_URL }));
