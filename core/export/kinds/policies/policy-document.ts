type Values = string | readonly string[];

export type Statement = {
  Sid: string;
  Effect: 'Allow' | 'Deny';
  Principal?: { AWS: string } | { Service: string } | '*';
  Action: Values;
  /** A role's trust policy has none. */
  Resource?: Values;
  Condition?: Record<string, Record<string, Values>>;
};

/** A policy of IAM, S3 or KMS. */
export type PolicyDocument = { Version: '2012-10-17'; Statement: readonly Statement[] };

export const policy = (...statements: Statement[]): PolicyDocument => ({
  Version: '2012-10-17',
  Statement: statements,
});

/**
 * One role of an account, by its name. As a principal its ARN would turn into an internal id, and a role that is made
 * anew under the same name would be a stranger; the account as principal and the ARN as condition outlive that.
 * `StringEquals`, unlike the ARN operators, takes no pattern.
 */
export const byRoleName = (accountRoot: string, roleArns: Values) => ({
  Principal: { AWS: accountRoot },
  Condition: { StringEquals: { 'aws:PrincipalArn': roleArns } },
});
