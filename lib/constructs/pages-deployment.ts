import { CustomResource, Duration, Stack, Validations } from 'aws-cdk-lib';
import type { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { cacheControlOf } from '#ui/headers.ts';
import type { LambdaCode } from '../lambda-code.ts';
import { type LogSettings, ServiceFunction } from './service-function.ts';

export type PagesDeploymentProps = {
  /** Both have the same program, with other files. */
  name: 'deploy-web-app' | 'deploy-exports-page';
  bucket: Bucket;
  /** Files that depend on the stage, by their path at the origin. */
  documents: Record<string, object>;
  stage: string;
  code: LambdaCode;
  logs: LogSettings;
  /** Keeps the files when the stack is deleted. */
  retain: boolean;
};

/** A Lambda writes the files of pages, which its code contains, into the bucket. */
export class PagesDeployment extends Construct {
  constructor(scope: Construct, id: string, props: PagesDeploymentProps) {
    super(scope, id);
    const { name, bucket, documents, stage, code, logs, retain } = props;
    const lambda = new ServiceFunction(this, {
      name,
      stage,
      environment: {},
      code,
      logs,
      timeout: Duration.minutes(1),
    });
    const files = bucket.arnForObjects('*');
    const grants = [
      lambda.allow(['s3:PutObject'], [files]),
      ...(retain
        ? []
        : [lambda.allow(['s3:ListBucket'], [bucket.bucketArn]), lambda.allow(['s3:DeleteObject'], [files])]),
    ];
    acknowledgeFiles(lambda, bucket);
    const deployment = new CustomResource(this, 'Files', {
      resourceType: 'Custom::WebAppFiles',
      serviceToken: lambda.function.functionArn,
      serviceTimeout: Duration.minutes(3),
      properties: {
        bucket: bucket.bucketName,
        // Another version of the Lambda contains other files.
        version: lambda.newVersion,
        documents: documentsOf(this, documents),
        emptyOnDelete: String(!retain),
      },
    });
    for (const grant of grants) grant.applyBefore(deployment);
  }
}

const documentsOf = (scope: Construct, documents: Record<string, object>) =>
  Object.entries(documents).map(([path, content]) => ({
    key: path.slice(1),
    body: Stack.of(scope).toJsonString(content),
    // Apple's file has no extension.
    contentType: 'application/json',
    cacheControl: cacheControlOf(path),
  }));

const acknowledgeFiles = (lambda: ServiceFunction, bucket: Bucket): void => {
  const logicalId = Stack.of(bucket).getLogicalId(bucket.node.defaultChild as CfnBucket);
  Validations.of(lambda).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>/*]`,
    reason: 'The names of most files contain a hash of their content. The bucket contains nothing else.',
  });
};
