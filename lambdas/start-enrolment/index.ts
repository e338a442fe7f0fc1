import { ConfirmationStore } from '../../core/confirmations/confirmation-store.ts';
import { DeviceStore } from '../../core/devices/device-store.ts';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { EnrolmentStore } from '../../core/enrolment/enrolment-store.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import * as v from 'valibot';
import { qrContent } from '../../core/enrolment/enrolment.ts';
import { startEnrolment } from '../../core/enrolment/start-enrolment.ts';
import { rfc3339 } from '../../core/kernel/time.ts';
import { json } from '../../core/http/responses.ts';
import { enrolmentBody } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = {
  enrolments: new EnrolmentStore(client, env.ENROLMENTS_TABLE),
  devices: new DeviceStore(client, env.DEVICES_TABLE),
  confirmations: new ConfirmationStore(client, env.CONFIRMATIONS_TABLE),
};

const request = v.object({ body: enrolmentBody });

export const handler = jsonLambda(
  websiteHandler(request, async ({ body }, context) => {
    const { code, enrolment } = await startEnrolment(deps, body, context);
    return json(201, {
      enrolmentId: enrolment.enrolmentId,
      qr: qrContent(env.APP_LINK, env.BASE_URL, code),
      expiresAt: rfc3339(enrolment.expiresAt),
    });
  }),
);
