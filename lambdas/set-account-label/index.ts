import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { AccountLabelStore } from '../../core/devices/account-label-store.ts';
import { DeviceStore } from '../../core/devices/device-store.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const { DEVICES_TABLE } = parseEnvironment(environment, process.env);
const client = documentClient();
const devices = new DeviceStore(client, DEVICES_TABLE);

export const handler = jsonLambda(
  createHandler({ labels: new AccountLabelStore(client, DEVICES_TABLE, devices) }),
);
