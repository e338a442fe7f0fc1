import type { Backend } from '../../../endpoint/http.ts';
import { AwsServiceError } from '../../../protocols/errors.ts';
import { asArray, parseJson } from '../../../protocols/json.ts';

const largestBatch = 500;

/**
 * Refuses larger batches, as AWS does.
 *
 * Remove when kinesis-local refuses PutRecords with more than 500 records.
 */
export function withBatchLimit(backend: Backend): Backend {
  return (request) => {
    const { operation, input } = parseJson(request);
    if (operation === 'PutRecords' && asArray(input['Records']).length > largestBatch) {
      const rule = `Member must have length less than or equal to ${largestBatch}`;
      const message = `1 validation error detected: Value at 'records' failed to satisfy constraint: ${rule}`;
      throw new AwsServiceError(400, 'ValidationException', message);
    }
    return backend(request);
  };
}
