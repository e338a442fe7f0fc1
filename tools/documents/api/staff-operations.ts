import type { StaffLambda } from '../../../lambdas/routes.ts';
import {
  checkPath,
  exportsQuery,
  staffDevicePath,
  staffExportPath,
  staffReplayPath,
  staffTenantPath,
  staffUserPath,
  staffUserQuery,
  tenantQuery,
} from '../../../core/staff/requests.ts';
import { exampleExportRequests, exampleExports } from './export-examples.ts';
import type { WebsiteOperation } from './operation.ts';
import { exampleStaff } from './staff-examples.ts';
import { exampleParameters } from './examples.ts';

const example = (summary: string, value: unknown) => ({ summary, value });
const { tenantId } = exampleParameters;

const recorded = (type: string): string => `Recorded as \`${type}\` in the tenant's log, with your id.`;

/** Of the help desk, with tokens of its own issuer. */
export const staffOperations: Record<StaffLambda, Omit<WebsiteOperation, 'tag'>> = {
  'staff-list-tenants': {
    summary: 'List the tenants that you may help',
    description: 'For `support` and `operator`. A deleted tenant is not listed.',
    success: {
      status: 200,
      description: 'You, and your tenants.',
      content: { schema: 'StaffTenantList', examples: { one: example('One tenant', exampleStaff.tenants) } },
    },
  },
  'staff-show-tenant': {
    summary: 'Look at a tenant',
    description: `For \`operator\`: settings, and clients without secrets. ${recorded('StaffTenantViewedEvent')}`,
    path: staffTenantPath,
    success: {
      status: 200,
      description: 'The tenant.',
      content: {
        schema: 'StaffTenantDetails',
        examples: { tenant: example('A tenant', exampleStaff.tenantDetails) },
      },
    },
  },
  'staff-find-user': {
    summary: 'Look at a user',
    description:
      `For \`support\`. The id must be exactly that of the website: there is no search by a part of it. ${recorded('StaffUserViewedEvent')}\n\n` +
      'Confirmations come from the events, without messages: the last 14 days, and the newest 280 of them.',
    path: staffUserPath,
    query: staffUserQuery,
    success: {
      status: 200,
      description: 'The user.',
      content: { schema: 'StaffUser', examples: { user: example('A user', exampleStaff.user) } },
    },
  },
  'staff-change-user': {
    summary: 'Reset limits, suspend or unsuspend a user, or withdraw a recovery',
    description:
      'For `support`. What is done already is not done again. A suspended user cannot be asked, and no device of the user enrols, lists or ' +
      'answers; what is open expires.\n\n' +
      'Recorded in the same transaction as `StaffUserLimitsResetEvent`, `StaffUserSuspendedEvent`, `StaffUserResumedEvent` or ' +
      '`StaffRecoveryWithdrawnEvent`.',
    path: staffUserPath,
    body: {
      schema: 'StaffUserAct',
      examples: {
        suspend: example('Suspend', { tenantId, act: 'suspend' }),
        reset: example('Reset the limits', { tenantId, act: 'reset-limits' }),
      },
    },
    success: { status: 204, description: 'It is done.' },
  },
  'staff-remove-device': {
    summary: 'Remove a device of a user',
    description:
      'For `support`: the user has lost it, say. It needs no confirmation. The other devices are told, as the tenant’s setting says. ' +
      recorded('StaffDeviceRemovedEvent'),
    path: staffDevicePath,
    query: tenantQuery,
    success: { status: 204, description: 'The device is removed.' },
  },
  'staff-allow-recovery': {
    summary: 'Allow a recovery, or agree to one',
    description:
      'For `support`. It is no code: for 24 hours the tenant’s website may call `startEnrolment` once for this user without a confirmation, ' +
      'which a tenant with `furtherDevices`: `confirm` otherwise requires. All devices of the user are told at once, and a denial on ' +
      'any of them stops it, also after the code was made.\n\n' +
      'Where the tenant’s setting `recoveryBy` is `two`, the first call only asks, and another member of staff agrees with `agreeTo`. ' +
      'A recovery that is open already is answered again.\n\n' +
      'Recorded as `StaffRecoveryRequestedEvent` and `StaffRecoveryAllowedEvent`.',
    path: staffUserPath,
    body: {
      schema: 'StaffRecoveryRequest',
      examples: {
        ask: example('Allow it, or ask for it', { tenantId }),
        agree: example('Agree', { tenantId, agreeTo: exampleStaff.recoveryId }),
      },
    },
    success: {
      status: 200,
      description: 'The recovery as it is now.',
      content: {
        schema: 'StaffRecovery',
        examples: {
          requested: example('Another member must agree', exampleStaff.recovery),
          allowed: example('The website may use it', exampleStaff.allowed),
        },
      },
    },
  },
  'staff-check-caller': {
    summary: 'Ask whether it is really the caller',
    description:
      'For `support`. Shows six digits on a device of the user, or on all, which the caller reads out. You do not see them: pass what you ' +
      'hear to `staffCompareNumber`. It counts in the push limits like a question of the website. ' +
      recorded('StaffCallerCheckedEvent'),
    path: staffUserPath,
    body: {
      schema: 'StaffCheckRequest',
      examples: {
        all: example('On all devices', { tenantId }),
        one: example('On one device', { tenantId, deviceId: exampleParameters.deviceId }),
      },
    },
    success: {
      status: 202,
      description: 'The question.',
      content: { schema: 'StaffCheck', examples: { asked: example('Asked', exampleStaff.check) } },
    },
  },
  'staff-get-check': {
    summary: 'Poll the question to a caller',
    description: 'For `support`. Poll every 2 seconds.',
    path: checkPath,
    query: tenantQuery,
    success: {
      status: 200,
      description: 'The question as it is now.',
      content: { schema: 'StaffCheck', examples: { asked: example('Asked', exampleStaff.check) } },
    },
  },
  'staff-compare-number': {
    summary: 'Compare the number that the caller reads out',
    description: `For \`support\`. Three tries. ${recorded('StaffNumberComparedEvent')}`,
    path: checkPath,
    body: {
      schema: 'StaffNumber',
      examples: { number: example('What the caller said', { tenantId, number: '482 913' }) },
    },
    success: {
      status: 200,
      description: 'The question as it is now. Only `isCaller` says that it is the caller.',
      content: { schema: 'StaffCheck', examples: { isCaller: example('It is', exampleStaff.isCaller) } },
    },
  },
  'staff-list-exports': {
    summary: 'List the exports of all tenants',
    description: 'For `operator`. A category without a destination is left out.',
    query: exportsQuery,
    success: {
      status: 200,
      description: 'The exports.',
      content: {
        schema: 'StaffExportList',
        examples: { refused: example('One is refused', exampleStaff.exports) },
      },
    },
  },
  'staff-steer-export': {
    summary: 'Pause or resume an export',
    description:
      'For `operator`. The tenant cannot resume what you paused. What is done already is not done again. Recorded in the same transaction as ' +
      '`StaffExportPausedEvent` or `StaffExportResumedEvent`.',
    path: staffExportPath,
    body: {
      schema: 'StaffExportAct',
      examples: { pause: example('Pause', { act: 'pause' }), resume: example('Resume', { act: 'resume' }) },
    },
    success: {
      status: 200,
      description: 'The export as it is now.',
      content: { schema: 'StaffExport', examples: { active: example('Active', exampleStaff.export) } },
    },
  },
  'staff-test-export': {
    summary: 'Test an export of a tenant',
    description: `For \`operator\`. As \`testExport\`, without its limit. ${recorded('StaffExportTestedEvent')}`,
    path: staffExportPath,
    body: {
      schema: 'NoMembers',
      isOptional: true,
      examples: { empty: example('As good as no body', {}) },
    },
    success: {
      status: 202,
      description: 'The export. Its test waits.',
      content: { schema: 'StaffExport', examples: { active: example('Active', exampleStaff.export) } },
    },
  },
  'staff-start-replay': {
    summary: 'Send events of a tenant again',
    description: `For \`operator\`. As \`startReplay\`, without its limit. ${recorded('StaffExportReplayedEvent')}`,
    path: staffExportPath,
    body: {
      schema: 'ReplayRequest',
      examples: { range: example('A range of time', exampleExportRequests.replay) },
    },
    success: {
      status: 202,
      description: 'The replay.',
      content: { schema: 'Replay', examples: { started: example('Started', exampleExports.replayStarted) } },
    },
  },
  'staff-get-replay': {
    summary: 'Poll a replay of a tenant',
    description: 'For `operator`.',
    path: staffReplayPath,
    success: {
      status: 200,
      description: 'The replay as it is now.',
      content: { schema: 'Replay', examples: { started: example('Started', exampleExports.replayStarted) } },
    },
  },
};
