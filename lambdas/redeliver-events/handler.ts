import type { SQSEvent } from 'aws-lambda';
import { failures, type BatchResponse } from '../../core/lambda/batch-lambda.ts';
import { redeliverBatch } from '../../core/export/delivery/redeliver-batch.ts';
import type { RedeliveryDeps } from '../../core/export/delivery/redeliver-lane.ts';

/** Tries parked records again. */
export const createHandler =
  (deps: RedeliveryDeps) =>
  async ({ Records }: SQSEvent): Promise<BatchResponse> =>
    failures(await redeliverBatch(deps, Records));
