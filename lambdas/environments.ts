/** The environment of each Lambda, by name: what `lib/` and `local/` must give it. Types only. */
import type { Environment as Authorize } from './authorize/env.ts';
import type { Environment as ListDevices } from './list-devices/env.ts';
import type { Environment as RemoveDevice } from './remove-device/env.ts';
import type { Environment as SendToDevice } from './send-to-device/env.ts';
import type { Environment as SendToUser } from './send-to-user/env.ts';
import type { Environment as GetConfirmation } from './get-confirmation/env.ts';
import type { Environment as StartEnrolment } from './start-enrolment/env.ts';
import type { Environment as GetEnrolment } from './get-enrolment/env.ts';
import type { Environment as EnrolDevice } from './enrol-device/env.ts';
import type { Environment as ListChallenges } from './list-challenges/env.ts';
import type { Environment as AnswerChallenge } from './answer-challenge/env.ts';
import type { Environment as RefreshPushToken } from './refresh-push-token/env.ts';
import type { Environment as UnregisterDevice } from './unregister-device/env.ts';
import type { Environment as RecordEvents } from './record-events/env.ts';
import type { Environment as ScheduleExpiry } from './schedule-expiry/env.ts';
import type { Environment as ExpireConfirmation } from './expire-confirmation/env.ts';
import type { Environment as ExportEvents } from './export-events/env.ts';
import type { Environment as RedeliverEvents } from './redeliver-events/env.ts';
import type { Environment as ReplayEvents } from './replay-events/env.ts';
import type { Environment as ScheduleProvisioning } from './schedule-provisioning/env.ts';
import type { Environment as ProvisionTarget } from './provision-target/env.ts';

export type Environments = {
  authorize: Authorize;
  'list-devices': ListDevices;
  'remove-device': RemoveDevice;
  'send-to-device': SendToDevice;
  'send-to-user': SendToUser;
  'get-confirmation': GetConfirmation;
  'start-enrolment': StartEnrolment;
  'get-enrolment': GetEnrolment;
  'enrol-device': EnrolDevice;
  'list-challenges': ListChallenges;
  'answer-challenge': AnswerChallenge;
  'refresh-push-token': RefreshPushToken;
  'unregister-device': UnregisterDevice;
  'record-events': RecordEvents;
  'schedule-expiry': ScheduleExpiry;
  'expire-confirmation': ExpireConfirmation;
  'export-events': ExportEvents;
  'redeliver-events': RedeliverEvents;
  'replay-events': ReplayEvents;
  'schedule-provisioning': ScheduleProvisioning;
  'provision-target': ProvisionTarget;
};

export type LambdaName = keyof Environments;
