import * as v from 'valibot';
import { variables } from '../../core/environment.ts';

const { DEVICES_TABLE, BASE_URL, FCM_APPLICATION_ARN, APNS_APPLICATION_ARN, APNS_SANDBOX_APPLICATION_ARN } =
  variables;

export const environment = v.object({
  DEVICES_TABLE,
  BASE_URL,
  FCM_APPLICATION_ARN,
  APNS_APPLICATION_ARN,
  APNS_SANDBOX_APPLICATION_ARN,
});

export type Environment = v.InferOutput<typeof environment>;
