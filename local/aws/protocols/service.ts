import type { ServiceName } from '../endpoint/fault-schema.ts';
import type { AwsResponse, AwsRequest, Backend } from '../endpoint/http.ts';
import type { AwsError } from './errors.ts';

/** What a request asks for. */
export type Operation = {
  operation: string;
  resources: readonly string[];
  parts?: readonly { operation: string; resource: string }[];
  /** How many entries the batch has, when this is a batch. */
  entries?: number;
  input: Record<string, unknown>;
};

/** The service's own errors: those that every service has, and those that one has. */
export type Errors = Record<
  'throttle' | 'access-denied' | 'not-found' | 'unavailable' | 'expired-token',
  AwsError
> &
  Partial<Record<'disabled' | 'conflict', AwsError>>;

/** How one AWS service is spoken: what a request means, and how its failures look. */
export type Service = {
  name: ServiceName;
  describe(request: AwsRequest): Operation;
  /** `resource` is the one that a fault names, when it names one. */
  errors(operation: Operation, resource?: string): Errors;
  render(error: AwsError): AwsResponse;
  /** Passes the other entries of a batch on, and answers for the failing ones. */
  failEntries?(batch: Batch, backend: Backend): Promise<AwsResponse>;
};

export type Batch = { request: AwsRequest; operation: Operation; failing: ReadonlySet<number> };
