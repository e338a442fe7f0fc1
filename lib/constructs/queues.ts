import { Duration, type RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  DeduplicationScope,
  FifoThroughputLimit,
  Queue,
  QueueEncryption,
  type QueueProps,
} from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type QueueDefinition, type QueueName, queues as definitions } from '../../core/aws/queues.ts';
import { retention } from '../../core/kernel/retention.ts';
import { factsOf, type LambdaName } from '../../lambdas/registered.ts';
import { namedAs } from './named-as.ts';
import { published, titled } from './published.ts';
import type { ServiceFunction } from './service-function.ts';

export type QueuesProps = { removalPolicy: RemovalPolicy };

const names = Object.keys(definitions) as QueueName[];

/** What other stacks know of a queue. */
export type QueueReference = { queueUrl: string; queueArn: string; queueName: string };

/** The service's queues with their dead-letter queues. */
export class Queues extends Construct {
  readonly queues: Readonly<Record<QueueName, QueueReference>>;
  /** Dead-letter queues by the name of their source queue. */
  readonly deadLetters: Readonly<Partial<Record<QueueName, { queueName: string }>>>;

  constructor(scope: Construct, id: string, { removalPolicy }: QueuesProps) {
    super(scope, id);
    const common = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // The longest period that SQS allows, because a message is stored nowhere else.
      retentionPeriod: Duration.millis(retention.waiting),
      removalPolicy,
    };
    const deadLetters: Partial<Record<QueueName, { queueName: string }>> = {};
    const create = (name: QueueName): QueueReference => {
      const { visibilityTimeout, maxReceiveCount, noDeadLetters, fifo }: QueueDefinition = definitions[name];
      const settings = { ...common, ...(fifo && highThroughput) };
      const dead =
        maxReceiveCount === undefined ? undefined : new Queue(this, `${name}-dead-letters`, settings);
      const queue = new Queue(this, name, {
        ...settings,
        visibilityTimeout: Duration.seconds(visibilityTimeout),
        ...(dead && maxReceiveCount !== undefined && { deadLetterQueue: { queue: dead, maxReceiveCount } }),
      });
      if (dead)
        deadLetters[name] = {
          queueName: published(dead, `${titled(name)}DeadLettersName`, dead.queueName),
        };
      if (noDeadLetters) Validations.of(queue).acknowledge(withoutDeadLetters[noDeadLetters]);
      return {
        queueUrl: published(queue, `${titled(name)}Queue`, queue.queueUrl),
        queueArn: published(queue, `${titled(name)}QueueArn`, queue.queueArn),
        queueName: published(queue, `${titled(name)}QueueName`, queue.queueName),
      };
    };
    this.deadLetters = deadLetters;
    this.queues = Object.fromEntries(names.map((name) => [name, create(name)])) as Record<
      QueueName,
      QueueReference
    >;
  }

  /** Grants the Lambda what its definition states. */
  serve(lambda: ServiceFunction<LambdaName>): void {
    const granted = Object.entries(factsOf(lambda.name).queues ?? {}) as [QueueName, readonly string[]][];
    for (const [name, actions] of granted) this.#grant(lambda, name, actions);
  }

  get variables() {
    return namedAs('QUEUE_URL', this.queues, ({ queueUrl }) => queueUrl);
  }

  /** Lets Lambda receive the queue's messages, which it does with the function's own permissions. */
  feed(lambda: ServiceFunction, name: QueueName): { queueArn: string } {
    this.#grant(lambda, name, ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes']);
    return { queueArn: this.queues[name].queueArn };
  }

  #grant(lambda: ServiceFunction, name: QueueName, actions: readonly string[]): void {
    lambda.allow(
      actions.map((action) => `sqs:${action}`),
      [this.queues[name].queueArn],
    );
  }
}

/** Limits apply to each message group, so a tenant's backlog does not slow other tenants. */
const highThroughput: QueueProps = {
  fifo: true,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
};

const id = 'AwsSolutions-SQS3';

const withoutDeadLetters = {
  'people-read-it': {
    id,
    reason: 'People read this queue. No program receives its messages, so none can fail too often.',
  },
  'messages-wait': {
    id,
    reason:
      'Messages wait until their target takes them, in order. The Lambda moves those that it cannot read.',
  },
} as const;
