import type { LambdaName } from '../lambdas/registered.ts';

/** The stacks of a stage that have Lambdas with routes, event sources or schedules. */
export const lambdaStacks = ['api', 'devices', 'confirmations', 'export'] as const;
export type LambdaStack = (typeof lambdaStacks)[number];

/**
 * The stack of each Lambda. Function names are fixed, so a Lambda that is deployed cannot move to another stack: CloudFormation
 * would find the name taken.
 */
export const stackOfLambda = {
  authorize: 'api',
  'omi-keys': 'api',
  'openid-configuration': 'api',
  'oauth-jwks': 'api',
  'oauth-token': 'api',

  'device-settings': 'devices',
  'enrol-device': 'devices',
  'get-brand': 'devices',
  'get-enrolment': 'devices',
  'get-logo': 'devices',
  'list-devices': 'devices',
  'preview-enrolment': 'devices',
  'refresh-push-token': 'devices',
  'release-endpoints': 'devices',
  'remove-device': 'devices',
  'set-account-label': 'devices',
  'start-enrolment': 'devices',
  'unregister-device': 'devices',

  'answer-challenge': 'confirmations',
  'bc-authorize': 'confirmations',
  'deliver-callback': 'confirmations',
  'expire-confirmation': 'confirmations',
  'get-confirmation': 'confirmations',
  'list-challenges': 'confirmations',
  'queue-expiries': 'confirmations',
  'retry-callback': 'confirmations',
  'schedule-expiry': 'confirmations',
  'send-to-device': 'confirmations',
  'send-to-user': 'confirmations',
  'withdraw-confirmation': 'confirmations',

  'export-events': 'export',
  'get-ledger': 'export',
  'get-ledger-hour': 'export',
  'get-replay': 'export',
  'list-exports': 'export',
  'pause-export': 'export',
  'provision-target': 'export',
  'record-events': 'export',
  'redeliver-events': 'export',
  'replay-events': 'export',
  'report-delivery-errors': 'export',
  'resume-export': 'export',
  'schedule-provisioning': 'export',
  'schedule-verifications': 'export',
  'start-replay': 'export',
  'test-export': 'export',
  'verify-target': 'export',
  'watch-buckets': 'export',
} as const satisfies Record<LambdaName, LambdaStack>;
