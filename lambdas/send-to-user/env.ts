import * as v from 'valibot';
import { variables } from '../../core/environment.ts';

const {
  DEVICES_TABLE,
  CONFIRMATIONS_TABLE,
  EVENTS_TABLE,
  FCM_APPLICATION_ARN,
  APNS_APPLICATION_ARN,
  APNS_SANDBOX_APPLICATION_ARN,
} = variables;

export const environment = v.object({
  DEVICES_TABLE,
  CONFIRMATIONS_TABLE,
  EVENTS_TABLE,
  FCM_APPLICATION_ARN,
  APNS_APPLICATION_ARN,
  APNS_SANDBOX_APPLICATION_ARN,
});

export type Environment = v.InferOutput<typeof environment>;
