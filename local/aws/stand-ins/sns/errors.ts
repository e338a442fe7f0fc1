import { AwsFailure } from '../wire/errors.ts';

/** SNS's one way to refuse a parameter. */
export function invalid(parameter: string, reason: string): AwsFailure {
  return invalidMessage(`${parameter} Reason: ${reason}`);
}

export function invalidMessage(text: string): AwsFailure {
  return new AwsFailure(400, 'InvalidParameter', `Invalid parameter: ${text}`);
}
