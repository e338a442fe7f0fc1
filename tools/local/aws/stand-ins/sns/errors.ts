import { AwsServiceError } from '../../protocols/errors.ts';

/** SNS's error for an invalid parameter. */
export function invalid(parameter: string, reason: string): AwsServiceError {
  return invalidMessage(`${parameter} Reason: ${reason}`);
}

export function invalidMessage(text: string): AwsServiceError {
  return new AwsServiceError(400, 'InvalidParameter', `Invalid parameter: ${text}`);
}
