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
import type { LambdaName } from '../../lambdas/environments.ts';
import { access } from '../access.ts';
import type { ServiceFunction } from './service-function.ts';

export type QueuesProps = { removalPolicy: RemovalPolicy };

const names = Object.keys(definitions) as QueueName[];

/** The service's queues, each with its dead letters. */
export class Queues extends Construct {
  readonly queues: Readonly<Record<QueueName, Queue>>;
  /** By the name of the queue whose messages they were. */
  readonly deadLetters: Readonly<Partial<Record<QueueName, Queue>>>;

  constructor(scope: Construct, id: string, { removalPolicy }: QueuesProps) {
    super(scope, id);
    const common = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // The longest there is: what is in a queue is in no other place.
      retentionPeriod: Duration.millis(retention.waiting),
      removalPolicy,
    };
    const deadLetters: Partial<Record<QueueName, Queue>> = {};
    const create = (name: QueueName): Queue => {
      const { visibilityTimeout, maxReceiveCount, fifo }: QueueDefinition = definitions[name];
      const settings = { ...common, ...(fifo && highThroughput) };
      const dead =
        maxReceiveCount === undefined ? undefined : new Queue(this, `${name}-dead-letters`, settings);
      const queue = new Queue(this, name, {
        ...settings,
        visibilityTimeout: Duration.seconds(visibilityTimeout),
        ...(dead && maxReceiveCount !== undefined && { deadLetterQueue: { queue: dead, maxReceiveCount } }),
      });
      if (dead) deadLetters[name] = dead;
      else Validations.of(queue).acknowledge(readByPeople);
      return queue;
    };
    this.deadLetters = deadLetters;
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
    lambda.allow(
      actions.map((action) => `sqs:${action}`),
      [this.queues[name].queueArn],
    );
  }
}

/** Limits that hold for each message group: one tenant's backlog slows no other's. */
const highThroughput: QueueProps = {
  fifo: true,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
};

const readByPeople = {
  id: 'AwsSolutions-SQS3',
  reason: 'People read it: nothing takes its messages away, so none can fail too often.',
};
