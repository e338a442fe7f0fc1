import { DeviceStore } from '../../core/devices/device-store.ts';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { signedLambda } from '../../core/http/api-lambda.ts';
import { baseUrlsOf } from '../../core/lambda/wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const devices = new DeviceStore(documentClient(), env.DEVICES_TABLE);

export const handler = signedLambda(createHandler({ devices, baseUrls: baseUrlsOf(env) }));
