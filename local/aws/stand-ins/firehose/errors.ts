import { ACCOUNT_ID } from '../identity.ts';
import { AwsFailure } from '../wire/errors.ts';

export function invalidArgument(message: string): AwsFailure {
  return new AwsFailure(400, 'InvalidArgumentException', message);
}

export function notFound(stream: string): AwsFailure {
  return new AwsFailure(
    400,
    'ResourceNotFoundException',
    `Firehose ${stream} under account ${ACCOUNT_ID} not found.`,
  );
}
