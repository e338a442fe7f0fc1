import { ConfirmationStore } from '../../core/adapters/confirmation-store.ts';
import { DeviceStore } from '../../core/adapters/device-store.ts';
import { documentClient } from '../../core/adapters/dynamodb.ts';
import { EnrolmentStore } from '../../core/adapters/enrolment-store.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { jsonLambda } from '../../core/http/lambda.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = {
  enrolments: new EnrolmentStore(client, env.ENROLMENTS_TABLE),
  devices: new DeviceStore(client, env.DEVICES_TABLE),
  confirmations: new ConfirmationStore(client, env.CONFIRMATIONS_TABLE),
};

export const handler = jsonLambda(createHandler({ ...deps, appLink: env.APP_LINK, baseUrl: env.BASE_URL }));
