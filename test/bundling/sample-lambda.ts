/** Uses the clients whose parts the bundling replaces. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const sns = new SNSClient({});

export const handler = async () => {
  const first = await table.send(new GetCommand({ TableName: 'table', Key: { pk: '1' } }));
  const second = await table.send(new GetCommand({ TableName: 'table', Key: { pk: '2' } }));
  const { MessageId } = await sns.send(
    new PublishCommand({ TargetArn: 'arn:aws:sns:eu-west-1:1:x', Message: 'm' }),
  );
  return { items: [first.Item, second.Item], messageId: MessageId };
};
