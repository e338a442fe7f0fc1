import { parseEnvironment } from '../../core/lambda/environment.ts';
import { reportDeps } from '../../core/lambda/report-wiring.ts';
import { scheduledLambda } from '../../core/lambda/scheduled-lambda.ts';
import type { CloudWatchLogsEvent } from 'aws-lambda';
import { logger } from '../../core/kernel/observability.ts';
import { readDeliveryLog } from '../../core/export/kinds/bucket/reports/delivery-log.ts';
import { reportErrors } from '../../core/export/kinds/bucket/reports/report-errors.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const deps = { ...reportDeps(env), deliveryStreamPrefix: env.DELIVERY_STREAM_PREFIX };

/** If it throws, Lambda retries it twice. Firehose reports the error again with its next attempt. */
export const handler = scheduledLambda(async (event: CloudWatchLogsEvent): Promise<void> => {
  const { errors, unreadable } = readDeliveryLog(event);
  if (unreadable > 0) logger.error('unreadable', { unreadable });
  await reportErrors(deps, errors);
});
