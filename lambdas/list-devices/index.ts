import { DeviceStore } from '../../core/devices/device-store.ts';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const { DEVICES_TABLE } = parseEnvironment(environment, process.env);

export const handler = bodilessLambda(
  createHandler({ devices: new DeviceStore(documentClient(), DEVICES_TABLE) }),
);
