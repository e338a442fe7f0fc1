import * as v from 'valibot';

/** As AWS names its regions: `eu-central-1`, `us-gov-west-1`, `eusc-de-east-1`. */
const inRegion = /^arn:[^:]+:[^:]+:[a-z]{2,4}(?:-[a-z]+){1,2}-\d{1,2}:/;

/** An ARN whose region can be one: in no other the service would ever find what the ARN names. */
export const regional = <Schema extends v.GenericSchema<string, string>>(arn: Schema) =>
  v.pipe(arn, v.regex<string>(inRegion));
