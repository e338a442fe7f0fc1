import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

const client = new SQSClient({ maxAttempts: 1 });

/** Sends a message for each that it gets into the queue that calls it. */
export const handler = async ({ Records }) => {
  for (const { body } of Records)
    await client.send(
      new SendMessageCommand({ QueueUrl: process.env.QUEUE_URL, MessageBody: String(Number(body) + 1) }),
    );
};
