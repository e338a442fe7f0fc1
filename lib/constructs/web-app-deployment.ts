import { CustomResource, Duration, Stack, Validations } from 'aws-cdk-lib';
import type { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { cacheControlOf } from '../../app/headers.ts';
import type { LambdaCode } from '../lambda-code.ts';
import { universalLinkFiles } from '../universal-links.ts';
import type { WebAppConfig } from '../web-app-config.ts';
import { type LogSettings, ServiceFunction } from './service-function.ts';

export type WebAppDeploymentProps = {
  bucket: Bucket;
  settings: WebAppConfig;
  baseUrl: string;
  stage: string;
  code: LambdaCode;
  logs: LogSettings;
  /** Keeps the files when the stack is deleted. */
  retain: boolean;
};

/** A Lambda writes the app's files, which its code contains, into the bucket. */
export class WebAppDeployment extends Construct {
  constructor(scope: Construct, id: string, props: WebAppDeploymentProps) {
    super(scope, id);
    const { bucket, settings, baseUrl, stage, code, logs, retain } = props;
    const lambda = new ServiceFunction(this, {
      name: 'deploy-web-app',
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
        documents: documentsOf(this, settings, baseUrl),
        emptyOnDelete: String(!retain),
      },
    });
    for (const grant of grants) grant.applyBefore(deployment);
  }
}

/** Files that depend on the stage. */
const documentsOf = (scope: Construct, settings: WebAppConfig, baseUrl: string) =>
  Object.entries({ '/config.json': { baseUrl }, ...universalLinkFiles(settings) }).map(([path, content]) => ({
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
