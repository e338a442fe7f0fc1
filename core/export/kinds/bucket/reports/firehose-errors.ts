import { ofTenant, otherFault, type Known } from '../../../delivery/delivery-faults.ts';
import type { Fault } from '../../../targets/target.ts';
import { vendorMessage } from '../../../targets/vendor-message.ts';

/** Firehose's codes begin with it in targets' records, apart from those of calls and tests. */
const prefix = 'Firehose.';

const account = ofTenant(
  'Firehose cannot write into the bucket, because of a problem with its AWS account. The tenant must solve it.',
);

const denied = ofTenant(
  "Firehose may not write into the bucket. The tenant must allow the delivery role to do so in the bucket policy. If it does, the operator must check the delivery role's trust policy and permissions.",
);

/**
 * Firehose logs a sample of its errors where there are many:
 * https://docs.aws.amazon.com/firehose/latest/dev/monitoring-with-cloudwatch-logs.html, "Amazon S3 Data Delivery Errors".
 */
const known: Known = {
  'S3.NoSuchBucket': ofTenant(
    'Firehose cannot write into the bucket, because it does not exist. The tenant must create it again, or tell the operator which bucket to use.',
  ),
  'S3.AccessDenied': denied,
  'S3.MethodNotAllowed': denied,
  'S3.AccountProblem': account,
  'S3.AllAccessDisabled': account,
  'S3.InvalidPayer': account,
  'S3.NotSignedUp': account,
};

const key = ofTenant(
  "Firehose cannot use the bucket's key. The key must be enabled, and the tenant must allow the delivery role to use it in the key's policy.",
);

const passing = 'Firehose cannot write into the bucket at the moment. It tries again for 24 hours.';

/** Such as `S3.KMS.NotFoundException`. Limits of KMS (`S3.KMS.RequestLimitExceeded`) pass by themselves. */
const isOfKey = (code: string): boolean => /^(?:S3\.)?KMS\.(?!.*(?:Limit|Throttl|Internal))/.test(code);

/** The fault of a bucket, by the code and the message in Firehose's log. */
export function firehoseFault(code: string, message: string): Fault {
  const found = known[code] ?? (isOfKey(code) ? key : otherFault(code, passing));
  return { ...found, code: `${prefix}${code}`, reason: `${found.reason}${vendorMessage(message)}` };
}
