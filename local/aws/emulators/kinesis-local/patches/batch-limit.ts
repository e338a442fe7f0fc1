import type { Backend } from '../../../endpoint/http.ts';
import { AwsServiceError } from '../../../protocols/errors.ts';
import { asArray, parseJson } from '../../../protocols/json.ts';

const MOST_RECORDS = 500;

/** Refuses what AWS refuses and kinesis-local takes. */
export function withLimits(backend: Backend): Backend {
  return (request) => {
    const { operation, input } = parseJson(request);
    if (operation === 'PutRecords' && asArray(input['Records']).length > MOST_RECORDS) {
      const rule = `Member must have length less than or equal to ${MOST_RECORDS}`;
      const message = `1 validation error detected: Value at 'records' failed to satisfy constraint: ${rule}`;
      throw new AwsServiceError(400, 'ValidationException', message);
    }
    return backend(request);
  };
}
