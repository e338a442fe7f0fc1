import { DeviceStore } from '../../core/devices/device-store.ts';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import * as v from 'valibot';
import { deviceViews } from '../../core/devices/device.ts';
import { json } from '../../core/http/responses.ts';
import { userPath } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { environment } from './definition.ts';

const { DEVICES_TABLE } = parseEnvironment(environment, process.env);
const devices = new DeviceStore(documentClient(), DEVICES_TABLE);

const request = v.object({ path: userPath });

export const handler = bodilessLambda(
  websiteHandler(request, async ({ path }, { caller }) => {
    const user = await devices.loadUser({ tenantId: caller.tenantId, userId: path.userId });
    return json(200, { devices: deviceViews(user.devices) });
  }),
);
