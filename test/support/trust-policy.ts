export type Trust = {
  /** `*`, an account's number, or the ARN of an account's root or of a role. */
  principal: string;
  /** The condition `StringEquals: { 'sts:ExternalId': … }`. */
  externalId?: string;
  /** The condition `ArnEquals: { 'aws:PrincipalArn': … }`. */
  principalArn?: string;
};

/** A role's trust policy: one statement that allows `sts:AssumeRole`. */
export function trustPolicyOf({ principal, externalId, principalArn }: Trust): string {
  const statement = {
    Effect: 'Allow',
    Principal: { AWS: principal },
    Action: 'sts:AssumeRole',
    Condition: {
      ...(externalId !== undefined && { StringEquals: { 'sts:ExternalId': externalId } }),
      ...(principalArn !== undefined && { ArnEquals: { 'aws:PrincipalArn': principalArn } }),
    },
  };
  return JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
}
