import type { DynamoDBStreamEvent } from 'aws-lambda';
import { failures, type BatchResponse } from '../../core/lambda/batch-lambda.ts';
import type { DeliveryDeps } from '../../core/export/delivery/delivery-deps.ts';
import { exportBatch } from '../../core/export/delivery/export-batch.ts';

/** Exports the records of the events table's stream. Order needs a parallelization factor of 1. */
export const createHandler =
  (deps: DeliveryDeps) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<BatchResponse> =>
    failures(await exportBatch(deps, Records));
