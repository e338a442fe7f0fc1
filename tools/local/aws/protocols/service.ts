import type { ServiceName } from '../endpoint/fault-schema.ts';
import type { AwsResponse, AwsRequest, Backend } from '../endpoint/http.ts';
import type { AwsError } from './errors.ts';

/** The operation that a request calls, and its resources. */
export type Operation = {
  operation: string;
  resources: readonly string[];
  parts?: readonly { operation: string; resource: string }[];
  /** The partitions of indexes into which it writes: `table/index/name/key`. */
  indexKeys?: readonly string[];
  /** The number of entries of a batch. */
  entries?: number;
  input: Record<string, unknown>;
};

/** IAM's name of an operation, and the ARN of its resource. */
export type Action = { action: string; resource: string | undefined };

/** The errors that faults cause: those of every service, and those of some. */
export type Errors = Record<
  'throttle' | 'access-denied' | 'not-found' | 'unavailable' | 'expired-token',
  AwsError
> &
  Partial<Record<'disabled' | 'conflict' | 'gone', AwsError>>;

/** The protocol of an AWS service: how to read its requests and write its errors. */
export type Service = {
  name: ServiceName;
  describe(request: AwsRequest): Operation;
  /** @param resource the one that a fault names */
  errors(operation: Operation, resource?: string): Errors;
  render(error: AwsError): AwsResponse;
  /** What IAM asks for a call. Only services have it that tenants' roles use. */
  actionOf?(operation: Operation, account: string): Action;
  /** Forwards the other entries of a batch, and adds the failing ones to the response. */
  failEntries?(batch: Batch, backend: Backend): Promise<AwsResponse>;
};

export type Batch = { request: AwsRequest; operation: Operation; failing: ReadonlySet<number> };
