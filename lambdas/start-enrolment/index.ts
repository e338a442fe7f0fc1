import { documentClient } from '../../core/adapters/dynamodb.ts';
import { EnrolmentStore } from '../../core/adapters/enrolment-store.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { jsonLambda } from '../../core/http/lambda.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const enrolments = new EnrolmentStore(documentClient(), env.ENROLMENTS_TABLE);

export const handler = jsonLambda(
  createHandler({ enrolments, appLink: env.APP_LINK, baseUrl: env.BASE_URL }),
);
