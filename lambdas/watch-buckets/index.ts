import {
  cloudWatchClient,
  DeliveryMetricsClient,
} from '../../core/export/kinds/bucket/reports/delivery-metrics-client.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { reportDeps } from '../../core/lambda/report-wiring.ts';
import { scheduledLambda } from '../../core/lambda/scheduled-lambda.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);

export const handler = scheduledLambda(
  createHandler({ ...reportDeps(env), metrics: new DeliveryMetricsClient(cloudWatchClient()) }),
);
