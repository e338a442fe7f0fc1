import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { EnrolmentStore } from '../../core/enrolment/enrolment-store.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import * as v from 'valibot';
import { deviceView } from '../../core/devices/device.ts';
import { sha256Text } from '../../core/kernel/identifiers.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import { json } from '../../core/http/responses.ts';
import { enrolmentQuery } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { environment } from './definition.ts';

const { ENROLMENTS_TABLE } = parseEnvironment(environment, process.env);
const enrolments = new EnrolmentStore(documentClient(), ENROLMENTS_TABLE);

const request = v.object({ query: enrolmentQuery });

export const handler = bodilessLambda(
  websiteHandler(request, async ({ query: { enrolmentId } }, { caller, now }) => {
    const enrolment = v.is(sha256Text, enrolmentId) ? await enrolments.find(enrolmentId, now) : undefined;
    if (enrolment?.tenantId !== caller.tenantId) {
      throw new Refusal('enrolment-not-found', 'There is no such enrolment.');
    }
    const { completed } = enrolment;
    return json(200, {
      status: await enrolments.statusOf(enrolment, now),
      ...(completed && { device: deviceView(completed.device, completed) }),
    });
  }),
);
