import type { DynamoDBStreamEvent } from 'aws-lambda';
import type { BusyMinuteStore } from '../../core/export/log/busy-minute-store.ts';
import { busyMinutesIn } from '../../core/export/log/busy-minutes.ts';
import { failures, type BatchResponse } from '../../core/lambda/batch-lambda.ts';
import type { DeliveryDeps } from '../../core/export/delivery/delivery-deps.ts';
import { exportBatch } from '../../core/export/delivery/export-batch.ts';

export type Deps = DeliveryDeps & { busy: Pick<BusyMinuteStore, 'mark'> };

/** Exports the records of the events table's stream. Order needs a parallelization factor of 1. */
export const createHandler =
  (deps: Deps) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<BatchResponse> => {
    // First: what is delivered is in the log. If it fails, the batch comes again, and nothing was delivered twice.
    await deps.busy.mark(busyMinutesIn(Records), Date.now());
    return failures(await exportBatch(deps, Records));
  };
