import { isStreamName, streamIdOf } from '../../events/target-ref.ts';
import { rfc3339 } from '../../kernel/time.ts';
import { exportView, type ExportView } from '../targets/export-view.ts';
import type { Target } from '../targets/target.ts';
import type { Phase } from './trouble.ts';

/** What the members of a notice and of a state change say of a target. */
export type TargetFacts = Pick<
  ExportView,
  | 'category'
  | 'destination'
  | 'state'
  | 'since'
  | 'reason'
  | 'code'
  | 'action'
  | 'waiting'
  | 'oldestWaitingAt'
>;

export function factsOf(target: Target, now: number): TargetFacts {
  const view = exportView(target, now);
  const { category, destination, state, since, reason, code, action, waiting, oldestWaitingAt } = view;
  return {
    ...{ category, destination, state, since, reason },
    ...(code !== undefined && { code }),
    ...(action && { action }),
    ...{ waiting, oldestWaitingAt },
  };
}

/** A notice about a tenant's target. `id` stays the same if it is sent again. */
export type Notice = {
  id: string;
  phase: Phase;
  /** Milliseconds since 1970. */
  at: number;
  tenant: { id: string; name: string };
  target: TargetFacts;
  /** The page on which tenants see their exports. Missing if the stage has none. */
  page: string | undefined;
};

const types: Record<Phase, string> = {
  started: 'export.trouble',
  continues: 'export.reminder',
  ended: 'export.recovered',
};

/** The body of a signed call, and the detail of an event on the operator's bus. */
export const noticeBody = ({ phase, at, tenant, target, page }: Notice) => {
  const { oldestWaitingAt, ...facts } = target;
  return {
    type: types[phase],
    timestamp: rfc3339(at),
    data: {
      ...{ tenantId: tenant.id, tenantName: tenant.name, ...facts },
      ...(oldestWaitingAt !== null && { oldestWaitingAt }),
      ...(page !== undefined && { page }),
    },
  };
};

const subjects: Record<Phase, string> = {
  started: 'needs you',
  continues: 'still needs you',
  ended: 'no longer needs you',
};

const nameOf = (category: TargetFacts['category']): string =>
  isStreamName(category) ? `stream of signals ${streamIdOf(category)}` : `export of ${category} events`;

export type Mail = { subject: string; text: string };

export function mailOf({ phase, at, tenant, target, page }: Notice): Mail {
  const { category, state, since, reason, action, waiting, oldestWaitingAt } = target;
  const lines = [
    `The ${nameOf(category)} of ${tenant.name} ${subjects[phase]}.`,
    '',
    `State:        ${state}, since ${since}`,
    `Why:          ${reason}`,
    ...(phase !== 'ended' && action ? [`What to do:   ${action.what}`] : []),
    `Waiting:      ${waiting} events${oldestWaitingAt === null ? '' : `, the oldest since ${oldestWaitingAt}`}`,
    `Destination:  ${describeDestination(target.destination)}`,
    `Tenant:       ${tenant.id}`,
    ...(page === undefined ? [] : [`Page:         ${page}`]),
    `Written:      ${rfc3339(at)}`,
    '',
    'You get this mail because the operator of the service registered this address as the contact of the tenant.',
    'While a trouble lasts, one mail a day says so. There are at most four mails a day about each export.',
  ];
  const subject = `The ${nameOf(category)} of ${tenant.name} ${subjects[phase]}`;
  return { subject, text: `${lines.join('\n')}\n` };
}

/** A test of a tenant's contact. It says nothing about an export, and does not count as a notice. */
export type TestNotice = Pick<Notice, 'id' | 'at' | 'tenant' | 'page'>;

export const testBody = ({ at, tenant, page }: TestNotice) => ({
  type: 'export.test',
  timestamp: rfc3339(at),
  data: { tenantId: tenant.id, tenantName: tenant.name, ...(page !== undefined && { page }) },
});

export function testMailOf({ at, tenant, page }: TestNotice): Mail {
  const lines = [
    `This is a test. Mails about troubles of the exports of ${tenant.name} will come to this address. Nobody has to act.`,
    '',
    `Tenant:       ${tenant.id}`,
    ...(page === undefined ? [] : [`Page:         ${page}`]),
    `Written:      ${rfc3339(at)}`,
  ];
  return { subject: `Test of the contact of ${tenant.name}`, text: `${lines.join('\n')}\n` };
}

const describeDestination = ({ kind, ...members }: TargetFacts['destination']): string =>
  [kind, ...Object.values(members).map(String)].join(' ');
