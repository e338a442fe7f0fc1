import * as v from 'valibot';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { DeviceStore } from '../../core/devices/device-store.ts';
import { readDeviceCall, verifyDeviceCall } from '../../core/devices/protocol/device-call.ts';
import { renameDevice } from '../../core/devices/rename-device.ts';
import { signedLambda } from '../../core/http/api-lambda.ts';
import { parseRequest } from '../../core/http/parse-request.ts';
import { noContent } from '../../core/http/responses.ts';
import { deviceName } from '../../core/kernel/text.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { baseUrlsOf } from '../../core/lambda/wiring.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const devices = new DeviceStore(documentClient(), env.DEVICES_TABLE);
const baseUrls = baseUrlsOf(env);

const request = v.object({ body: v.object({ name: deviceName }) });

export const handler = signedLambda(async (event) => {
  const now = Date.now();
  const call = readDeviceCall(event.body ?? '', 'omi-device-name+jws');
  const { claims } = call.message;
  const load = async () => {
    const found = await devices.find(call.identity);
    const device = await verifyDeviceCall(call, found, { baseUrls, now });
    const { name } = parseRequest(request, { body: claims }).body;
    return { device, name, issuedAt: Number(claims['iat']) };
  };
  await renameDevice({ devices }, load);
  return noContent;
});
