import { GetQueueAttributesCommand, GetQueueUrlCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { type QueueDefinition, type QueueName, queues as definitions } from '../../../core/aws/queues.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { checkEach, type Finding, type Probe } from '../probe.ts';

const names = Object.keys(definitions) as QueueName[];

/** The queues, and their dead letters. */
export const queuesProbe: Probe = {
  name: 'queues',
  check: async (deployment) =>
    await checkEach(names, {
      subjectOf: (name) => name,
      check: async (name) => await checkQueue(deployment, name),
      fix: 'Deploy the stage again (npx cdk deploy --all): the queue was deleted or changed.',
    }),
};

const redrivePolicy = v.pipe(v.string(), v.parseJson(), v.object({ deadLetterTargetArn: v.string() }));

async function checkQueue(deployment: Deployment, name: QueueName): Promise<Finding[]> {
  const { sqs } = deployment.clients;
  const { noDeadLetters }: QueueDefinition = definitions[name];
  const attributes = await attributesOf(sqs, await deployment.queueUrl(name));
  const waiting = Number(attributes['ApproximateNumberOfMessages'] ?? 0);
  if (noDeadLetters === 'people-read-it') return [readByPeople(name, waiting)];
  const found: Finding = { subject: name, ok: true, detail: `${waiting} messages waiting` };
  if (noDeadLetters) return [found];
  return [found, await deadLetters(sqs, name, attributes['RedrivePolicy'])];
}

/** Only people read the messages of this queue. */
const readByPeople = (name: string, waiting: number): Finding =>
  waiting === 0
    ? { subject: name, ok: true, detail: 'empty' }
    : {
        subject: name,
        ok: false,
        detail: `${waiting} messages wait for an operator`,
        fix: 'See "Something is undeliverable" in docs/operations/alarms.md.',
      };

async function deadLetters(sqs: SQSClient, name: string, policy: string | undefined): Promise<Finding> {
  const subject = `${name}, dead letters`;
  const redrive = v.safeParse(redrivePolicy, policy);
  if (!redrive.success)
    return {
      subject,
      ok: false,
      detail: 'the queue has no dead-letter queue',
      fix: 'Deploy the stage again (npx cdk deploy --all): the queue was changed.',
    };
  const QueueName = redrive.output.deadLetterTargetArn.split(':').at(-1) ?? '';
  const { QueueUrl = '' } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
  const { ApproximateNumberOfMessages = '0' } = await attributesOf(sqs, QueueUrl);
  if (ApproximateNumberOfMessages === '0') return { subject, ok: true, detail: 'empty' };
  const detail = `${ApproximateNumberOfMessages} undeliverable messages`;
  return { subject, ok: false, detail, fix: 'See "There are dead letters" in docs/operations/alarms.md.' };
}

async function attributesOf(sqs: SQSClient, QueueUrl: string): Promise<Record<string, string>> {
  const request = new GetQueueAttributesCommand({
    QueueUrl,
    AttributeNames: ['ApproximateNumberOfMessages', 'RedrivePolicy'],
  });
  const { Attributes = {} } = await sqs.send(request);
  return Attributes;
}
