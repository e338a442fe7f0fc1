import { DeviceCallStore } from '../../core/confirmations/device-call-store.ts';
import { ConfirmationStore } from '../../core/confirmations/confirmation-store.ts';
import { GroupStore } from '../../core/confirmations/groups/group-store.ts';
import { DeviceStore } from '../../core/devices/device-store.ts';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { baseUrlsOf } from '../../core/lambda/wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const devices = new DeviceStore(client, env.DEVICES_TABLE);
const confirmations = new ConfirmationStore(client, env.CONFIRMATIONS_TABLE);
const groups = new GroupStore(client, env.CONFIRMATIONS_TABLE);
const calls = new DeviceCallStore(client, devices, confirmations);

export const handler = bodilessLambda(
  createHandler({ calls, devices, confirmations, groups, baseUrls: baseUrlsOf(env) }),
);
