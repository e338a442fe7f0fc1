import { Aws, type RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { published } from './published.ts';

export type AlarmTopicProps = { removalPolicy: RemovalPolicy };

/** The topic to which the operator subscribes. It is with the data, because no deployment would bring subscriptions back. */
export class AlarmTopic extends Construct {
  readonly topicArn: string;

  constructor(scope: Construct, id: string, { removalPolicy }: AlarmTopicProps) {
    super(scope, id);
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    topic.applyRemovalPolicy(removalPolicy);
    // With `enforceSSL` the topic has its own policy, which must allow CloudWatch as SNS's default policy does.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    this.topicArn = published(this, 'AlarmTopic', topic.topicArn);
  }
}
