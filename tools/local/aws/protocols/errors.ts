import { randomUUID } from 'node:crypto';
import type { AwsResponse } from '../endpoint/http.ts';

/** An error of AWS. Each protocol serializes it in its own way. */
export type AwsError = {
  status: number;
  code: string;
  message: string;
  /** Further members, for protocols that have them. */
  details?: Record<string, unknown>;
  /** SQS: the error's code in the query protocol, which differs from the one in JSON. */
  queryCode?: string;
};

/** Thrown by stand-ins. The endpoint serializes it in the service's protocol. */
export class AwsServiceError extends Error {
  override readonly name = 'AwsServiceError';
  readonly error: AwsError;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.error = { status, code, message };
  }
}

/** AWS JSON 1.0 and 1.1: DynamoDB, Kinesis, Firehose, SQS. */
export function jsonError({ status, code, message, details, queryCode }: AwsError): AwsResponse {
  const fault = status < 500 ? 'Sender' : 'Receiver';
  return {
    status,
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amzn-requestid': randomUUID(),
      ...(queryCode === undefined ? {} : { 'x-amzn-query-error': `${queryCode};${fault}` }),
    },
    // Services write `message` or `Message`; every SDK reads both.
    body: JSON.stringify({ __type: code, message, ...details }),
  };
}

/** Errors that all services with AWS JSON have in common. */
export function jsonRefusals(
  action: string,
  resource: string,
): Record<'access-denied' | 'expired-token', AwsError> {
  const denied = `User is not authorized to perform: ${action} on resource: ${resource}`;
  const expired = 'The security token included in the request is expired';
  return {
    'access-denied': { status: 400, code: 'AccessDeniedException', message: denied },
    'expired-token': { status: 400, code: 'ExpiredTokenException', message: expired },
  };
}

/** The query protocol: SNS, STS. */
export function queryError({ status, code, message }: AwsError): AwsResponse {
  const type = status < 500 ? 'Sender' : 'Receiver';
  const error = `<Error><Type>${type}</Type><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error>`;
  return {
    status,
    headers: { 'content-type': 'text/xml' },
    body: `<ErrorResponse>${error}<RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
  };
}

/** REST with XML: S3. */
export function restError({ status, code, message }: AwsError): AwsResponse {
  const error = `<Code>${code}</Code><Message>${escapeXml(message)}</Message><RequestId>${randomUUID()}</RequestId>`;
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${error}</Error>`,
  };
}

const xmlEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => xmlEntities[character] ?? character);
}
