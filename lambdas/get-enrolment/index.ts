import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { EnrolmentStore } from '../../core/enrolment/enrolment-store.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const { ENROLMENTS_TABLE } = parseEnvironment(environment, process.env);

export const handler = bodilessLambda(
  createHandler({ enrolments: new EnrolmentStore(documentClient(), ENROLMENTS_TABLE) }),
);
