import { DeviceStore } from '../../core/adapters/device-store.ts';
import { documentClient } from '../../core/adapters/dynamodb.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { signedLambda } from '../../core/http/lambda.ts';
import { pushGateway } from '../../core/wiring.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const devices = new DeviceStore(documentClient(), env.DEVICES_TABLE);

export const handler = signedLambda(
  createHandler({ devices, gateway: pushGateway(env), baseUrl: env.BASE_URL }),
);
