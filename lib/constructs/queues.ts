import { Duration, type RemovalPolicy } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type QueueName, queues as definitions } from '../../core/adapters/queues.ts';
import type { LambdaName } from '../../lambdas/environments.ts';
import { access } from '../access.ts';
import type { ServiceFunction } from './service-function.ts';

export type QueuesProps = { removalPolicy: RemovalPolicy };

const names = Object.keys(definitions) as QueueName[];

/** The service's queues, each with its dead letters. */
export class Queues extends Construct {
  readonly queues: Readonly<Record<QueueName, Queue>>;

  constructor(scope: Construct, id: string, { removalPolicy }: QueuesProps) {
    super(scope, id);
    const common = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // The longest there is: what is in a queue is in no other place.
      retentionPeriod: Duration.days(14),
      removalPolicy,
    };
    const create = (name: QueueName): Queue => {
      const { visibilityTimeout, maxReceiveCount } = definitions[name];
      return new Queue(this, name, {
        ...common,
        visibilityTimeout: Duration.seconds(visibilityTimeout),
        deadLetterQueue: { queue: new Queue(this, `${name}-dead-letters`, common), maxReceiveCount },
      });
    };
    this.queues = Object.fromEntries(names.map((name) => [name, create(name)])) as Record<QueueName, Queue>;
  }

  /** Lets the Lambda do what {@link access} says, and tells it the queues' URLs. */
  serve(lambda: ServiceFunction<LambdaName>): void {
    const granted = Object.entries(access[lambda.name].queues ?? {}) as [QueueName, readonly string[]][];
    for (const [name, actions] of granted) {
      this.#grant(lambda, name, actions);
      lambda.setVariable(`${name.toUpperCase()}_QUEUE_URL`, this.queues[name].queueUrl);
    }
  }

  /** Lets the Lambda be called by the queue: Lambda takes the messages with the function's own permissions. */
  feed(lambda: ServiceFunction, name: QueueName): { queueArn: string } {
    this.#grant(lambda, name, ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes']);
    return { queueArn: this.queues[name].queueArn };
  }

  #grant(lambda: ServiceFunction, name: QueueName, actions: readonly string[]): void {
    Grant.addToPrincipal({
      grantee: lambda,
      actions: actions.map((action) => `sqs:${action}`),
      resourceArns: [this.queues[name].queueArn],
    });
  }
}
