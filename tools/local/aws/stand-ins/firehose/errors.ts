import { accountId } from '../../identity.ts';
import { AwsServiceError } from '../../protocols/errors.ts';

export function invalidArgument(message: string): AwsServiceError {
  return new AwsServiceError(400, 'InvalidArgumentException', message);
}

export function notFound(stream: string): AwsServiceError {
  return new AwsServiceError(
    400,
    'ResourceNotFoundException',
    `Firehose ${stream} under account ${accountId} not found.`,
  );
}
