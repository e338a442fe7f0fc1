/** What the help desk sees. */
import { furtherDevicesPolicies } from '../../../core/tenants/further-devices-policy.ts';
import { recoveryByModes } from '../../../core/tenants/tenant.ts';
import { ref, type JsonSchema } from './json-schema.ts';
import { digest, strictObject, text, time, userId, type Members } from './objects.ts';

const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });
const flag = (description: string): JsonSchema => ({ type: 'boolean', description });
const list = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', items, description });
const memberId = (description: string): JsonSchema => text(`${description} \`sub\` of the token.`);

const statuses = ['pending', 'confirmed', 'denied', 'expired', 'cancelled', 'failed'];

const tenant: Members = {
  tenantId: text('The tenant.', { format: 'uuid' }),
  name: text('Its registered name.'),
  state: { type: 'string', enum: ['active', 'suspended'] },
  furtherDevices: text('What a further device of a user needs. Only with `confirm` a recovery is needed.', {
    enum: [...furtherDevicesPolicies],
  }),
  recoveryBy: text('How many members of staff must agree to a recovery.', { enum: [...recoveryByModes] }),
};

export const staffSchemas: Members = {
  StaffTenant: strictObject('A tenant, as its help desk sees it.', tenant),
  StaffTenantList: strictObject('Who you are, and the tenants that you may help.', {
    member: strictObject('You.', {
      memberId: memberId('The events of what you do name it.'),
      isOperator: flag('You may also use the operations of operators.'),
    }),
    tenants: list(ref('StaffTenant'), 'By name.'),
  }),
  StaffClient: strictObject('A client, without secrets.', {
    clientId: text('Its id at the issuer.'),
    'name?': text('What devices show.'),
    scopes: list({ type: 'string' }, 'What it may do.'),
    'numberMatching?': text('In place of the tenant’s setting.'),
    'returnOrigins?': list({ type: 'string' }, 'To which a push may lead its user back.'),
    hasKeys: flag('It signs assertions, and has no secret.'),
    hasCallback: flag('A call-back URL is registered.'),
  }),
  StaffTenantDetails: strictObject('A tenant, as operators see it.', {
    ...tenant,
    settings: {
      type: 'object',
      additionalProperties: true,
      description: 'All settings, by the names of `omi tenant show --json`.',
    },
    clients: list(ref('StaffClient'), 'Its clients.'),
  }),
  StaffLimit: strictObject('A push limit of a user.', {
    limit: text('Which one.'),
    'deviceId?': text('Of a limit for each device.', { format: 'uuid' }),
    counted: count('What counts now.'),
    allowed: count('When the limit is reached.'),
    'reachedUntil?': time('Until when nobody may ask the user because of it. Absent: it is not reached.'),
  }),
  StaffConfirmation: strictObject('A confirmation, without its message.', {
    challengeId: digest('Names it.'),
    status: { type: 'string', enum: statuses },
    'reason?': text('Why it ended so.'),
    askedAt: time('When the user was asked.'),
    'endedAt?': time('When it ended.'),
    deviceIds: list({ type: 'string' }, 'Who was asked, or who answered. Some may be removed by now.'),
    'purpose?': text('What it allows.'),
    'groupId?': digest('It is a vote of this group.'),
    'userVerified?': flag('The answer proves that the device verified its user.'),
  }),
  StaffRecovery: strictObject('Leave for the tenant’s website to enrol one device without a confirmation.', {
    recoveryId: text('Names it.', { format: 'uuid' }),
    state: text(
      '`requested`: another member must agree. `allowed`: the website may use it. `used`: a code was made with it. `stopped`: a device of the ' +
        'user denied it, or a member withdrew it.',
      { enum: ['requested', 'allowed', 'used', 'stopped', 'expired'] },
    ),
    requestedBy: memberId('Who asked for it.'),
    requestedAt: time('When.'),
    'agreedBy?': memberId('Who agreed, where the tenant wants two.'),
    expiresAt: time('24 hours after it was allowed, or requested.'),
  }),
  StaffUser: strictObject('A user, as the help desk sees it. It has no messages.', {
    userId,
    tenant: ref('StaffTenant'),
    'account?': text('The label of the account.'),
    'suspendedSince?': time('Since when nobody may ask the user.'),
    devices: list(ref('Device'), 'Newest enrolment first.'),
    limits: list(ref('StaffLimit'), 'All push limits, reached or not.'),
    'recovery?': ref('StaffRecovery'),
    confirmations: list(ref('StaffConfirmation'), 'The last 14 days, newest first, at most 25 at once.'),
    'before?': time('Pass it as `before` for the confirmations before these.'),
  }),
  StaffCheck: strictObject(
    'A question that shows a number on the device of a caller. It never has the number.',
    {
      checkId: digest('Names it.'),
      status: { type: 'string', enum: statuses },
      'reason?': text('`not_me`: the person with the device is not on the phone with you.'),
      delivery: { type: 'string', enum: ['sent', 'failed', 'unreachable'] },
      deviceIds: list({ type: 'string' }, 'The devices that were asked.'),
      'answeredOn?': text('The device that answered.', { format: 'uuid' }),
      comparison: text('Whether a number that you passed is the one on the device.', {
        enum: ['waiting', 'matches', 'wrong'],
      }),
      triesLeft: count('Numbers that you may still compare.'),
      isCaller: flag('The caller read out the right number, and the device confirmed.'),
      askedAt: time('When the device was asked.'),
      expiresAt: time('By then the device must have answered.'),
    },
  ),
};

/** @param view the members of an export */
export const staffExportSchemas = (view: Members): Members => ({
  StaffExport: strictObject('An export of a tenant.', {
    tenantId: text('Whose export it is.', { format: 'uuid' }),
    ...view,
  }),
  StaffExportList: strictObject('Exports of all tenants.', {
    exports: list(ref('StaffExport'), 'In no order.'),
  }),
});
