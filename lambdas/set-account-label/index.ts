import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { AccountLabelStore } from '../../core/devices/account-label-store.ts';
import { DeviceStore } from '../../core/devices/device-store.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import * as v from 'valibot';
import { labelBody, userPath } from '../../core/http/request-schemas.ts';
import { noContent } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';
import { environment } from './definition.ts';

const { DEVICES_TABLE } = parseEnvironment(environment, process.env);
const client = documentClient();
const devices = new DeviceStore(client, DEVICES_TABLE);
const labels = new AccountLabelStore(client, DEVICES_TABLE, devices);

const request = v.object({ path: userPath, body: labelBody });

export const handler = jsonLambda(
  websiteHandler(request, async ({ path, body }, { caller, now }) => {
    const user = { tenantId: caller.tenantId, userId: path.userId };
    await retryOnConflict(async () => {
      await labels.set(user, body.accountLabel ?? undefined, now);
    });
    return noContent;
  }),
);
