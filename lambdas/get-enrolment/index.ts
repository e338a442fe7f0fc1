import { documentClient } from '../../core/adapters/dynamodb.ts';
import { EnrolmentStore } from '../../core/adapters/enrolment-store.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { bodilessLambda } from '../../core/http/lambda.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const { ENROLMENTS_TABLE } = parseEnvironment(environment, process.env);

export const handler = bodilessLambda(
  createHandler({ enrolments: new EnrolmentStore(documentClient(), ENROLMENTS_TABLE) }),
);
