import type { CloudWatchLogsEvent } from 'aws-lambda';
import { logger } from '../../core/kernel/observability.ts';
import { readDeliveryLog } from '../../core/export/kinds/bucket/reports/delivery-log.ts';
import { reportErrors, type ReportDeps } from '../../core/export/kinds/bucket/reports/report-errors.ts';

/** If it throws, Lambda retries it twice. Firehose reports the error again with its next attempt. */
export const createHandler =
  (deps: ReportDeps) =>
  async (event: CloudWatchLogsEvent): Promise<void> => {
    const { errors, unreadable } = readDeliveryLog(event);
    if (unreadable > 0) logger.error('unreadable', { unreadable });
    await reportErrors(deps, errors);
  };
