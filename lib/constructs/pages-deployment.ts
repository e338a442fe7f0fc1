import { CustomResource, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { cacheControlOf, contentTypeOf } from '#ui/headers.ts';
import type { LambdaCode } from '../lambda-code.ts';
import { ownPlace } from './own-place.ts';
import { type LogSettings, ServiceFunction } from './service-function.ts';

/** What an origin of pages serves. */
export type Pages = {
  /** The Lambda whose code contains the files. All have the same program. */
  deployedBy: 'deploy-web-app' | 'deploy-exports-page' | 'deploy-console';
  bucket: Bucket;
  /** Files that depend on the stage, by their path at the origin. */
  documents: Record<string, object>;
  /** Keeps the files when the stack is deleted. */
  retain: boolean;
};

export type PagesDeploymentProps = {
  pages: Omit<Pages, 'bucket'> & { bucketName: string };
  stage: string;
  code: LambdaCode;
  logs: LogSettings;
};

/** A Lambda writes the files of pages into the bucket of their origin. */
export class PagesDeployment extends Construct {
  constructor(scope: Construct, id: string, props: PagesDeploymentProps) {
    super(scope, id);
    const { stage, code } = props;
    const { deployedBy, bucketName, documents, retain } = props.pages;
    // What keeps nothing of its own is deleted whole.
    const logs = retain ? props.logs : { ...props.logs, removalPolicy: RemovalPolicy.DESTROY };
    const lambda = new ServiceFunction(this, {
      name: deployedBy,
      stage,
      environment: {},
      code,
      logs,
      timeout: Duration.minutes(1),
    });
    const bucketArn = Stack.of(this).formatArn({
      ...ownPlace,
      service: 's3',
      region: '',
      account: '',
      resource: bucketName,
    });
    const files = `${bucketArn}/*`;
    const grants = [
      lambda.allow(['s3:PutObject'], [files]),
      ...(retain
        ? []
        : [lambda.allow(['s3:ListBucket'], [bucketArn]), lambda.allow(['s3:DeleteObject'], [files])]),
    ];
    acknowledgeFiles(lambda, bucketName);
    const deployment = new CustomResource(this, 'Files', {
      resourceType: 'Custom::WebAppFiles',
      serviceToken: lambda.function.functionArn,
      serviceTimeout: Duration.minutes(3),
      properties: {
        bucket: bucketName,
        // Another version of the Lambda contains other files.
        version: lambda.newVersion,
        documents: documentsOf(this, documents),
        emptyOnDelete: String(!retain),
      },
    });
    for (const grant of grants) grant.applyBefore(deployment);
  }
}

/** All others are JSON, also Apple's, whose name has no extension. */
const documentsOf = (scope: Construct, documents: Record<string, object>) =>
  Object.entries(documents).map(([path, content]) => ({
    key: path.slice(1),
    body: Stack.of(scope).toJsonString(content),
    contentType: path.endsWith('.webmanifest') ? contentTypeOf(path) : 'application/json',
    cacheControl: cacheControlOf(path),
  }));

const acknowledgeFiles = (lambda: ServiceFunction, bucketName: string): void => {
  const name = JSON.stringify(Stack.of(lambda).resolve(bucketName));
  Validations.of(lambda).acknowledge({
    id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::${name}/*]`,
    reason: 'The names of most files contain a hash of their content. The bucket contains nothing else.',
  });
};
