import type { Export, LastTest, LedgerHour, Replay } from '../../../../pages/exports/src/api/shapes.ts';
import type { LogCheck } from '../../../../pages/exports/src/log/check-log.ts';
import { endings } from '../../../../pages/exports/src/text/labels.ts';
import { initialState, type Panel, type State } from '../../../../pages/exports/src/state/state.ts';

/** A fixed moment, so that the pictures are the same at every run. */
export const now = Date.parse('2026-11-22T09:30:00.000Z');

const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();

const digest = 'c0ffee'.padEnd(64, '4b1d');

export const streamExport = (more: Partial<Export> = {}): Export => ({
  category: 'public',
  destination: {
    kind: 'stream',
    streamArn: 'arn:aws:kinesis:eu-central-1:444455556666:stream/omi-events',
    roleArn: 'arn:aws:iam::444455556666:role/omi-event-export',
    lanes: 2,
  },
  state: 'active',
  since: ago(3_000),
  reason: 'Events are delivered as they come.',
  accepted: 120_034,
  delivered: 120_034,
  waiting: 0,
  oldestWaitingAt: null,
  types: null,
  lastTest: { requestedAt: ago(600), endedAt: ago(599), outcome: 'passed' },
  ...more,
});

export const bucketExport = (more: Partial<Export> = {}): Export => ({
  ...streamExport(),
  category: 'log',
  destination: {
    kind: 'bucket',
    bucket: 'nordbank-audit',
    kmsKeyArn: 'arn:aws:kms:eu-central-1:444455556666:key/1d4bf2a0-57c3-4e96-8b1f-c0a3d9e6f275',
  },
  accepted: 5_120,
  delivered: 5_120,
  types: ['UserLoginFailedEvent'],
  ...more,
});

const statement = {
  Sid: 'WriteToTheStream',
  Effect: 'Allow',
  Action: ['kinesis:PutRecords', 'kinesis:DescribeStreamSummary'],
  Resource: 'arn:aws:kinesis:eu-central-1:444455556666:stream/omi-events',
};

const parked = streamExport({
  state: 'parked',
  since: ago(4),
  reason: 'The role may not write to the stream.',
  code: 'AccessDeniedException',
  action: {
    who: 'tenant',
    what: 'The tenant must let the role write to the stream.',
    policy: {
      document: 'permissionPolicy',
      statement,
      whole: { Version: '2012-10-17', Statement: [statement] },
    },
  },
  delivered: 119_822,
  waiting: 212,
  oldestWaitingAt: ago(4),
});

const busArn = 'arn:aws:events:eu-central-1:444455556666:event-bus/omi-events';

const busStatement = {
  Sid: 'SendToTheBus',
  Effect: 'Allow',
  Action: ['events:PutEvents', 'events:DescribeEventBus'],
  Resource: busArn,
};

const busParked: Export = {
  ...parked,
  destination: { kind: 'bus', busArn, roleArn: 'arn:aws:iam::444455556666:role/omi-event-export' },
  reason: 'The role may not send to the event bus.',
  action: {
    who: 'tenant',
    what: 'The tenant must allow the role events:PutEvents on the bus.',
    policy: {
      document: 'permissionPolicy',
      statement: busStatement,
      whole: { Version: '2012-10-17', Statement: [busStatement] },
    },
  },
};

/** A day with an empty night, and an hour that is not over. */
export const hours = (count: number): LedgerHour[] =>
  Array.from({ length: count }, (_, index) => {
    const back = count - 1 - index;
    const hour = new Date(Math.floor(now / 3_600_000) * 3_600_000 - back * 3_600_000).toISOString();
    const sent = back % 24 > 14 ? 0 : 400 + ((index * 7_919) % 3_100);
    return {
      hour: hour.replace('.000Z', 'Z'),
      count: sent * 2,
      digest,
      types:
        sent === 0
          ? {}
          : {
              UserSignedInEvent: { count: sent, digest },
              PushNotificationSentEvent: { count: sent, digest },
            },
      final: back > 0,
    };
  });

const replay = (more: Partial<Replay> = {}): Replay => ({
  replayId: '0199c0de-0000-7000-8000-000000000001',
  state: 'running',
  from: ago(600),
  to: ago(0),
  eventsSent: 4_210,
  cursorHour: '2026-11-22T05',
  ...more,
});

const base: State = {
  ...initialState(now, { screen: 'exports' }),
  config: { tokenUrl: 'https://tokens.example.com/oauth2/token', scopePrefix: 'omi/' },
};

const withSignIn: State = {
  ...base,
  config: {
    ...base.config,
    signIn: {
      issuer: 'https://login.example.com',
      clientId: 'exports',
      authorizationUrl: 'https://login.example.com/authorize',
      tokenUrl: 'https://login.example.com/token',
    },
  },
};

const signedIn: State = {
  ...base,
  session: { canAct: true, expiresAt: now + 3_000_000 },
  exports: [streamExport(), bucketExport()],
};

const shown = (one: Export, panel: Partial<Panel> = {}, more: Partial<State> = {}): State => ({
  ...signedIn,
  route: { screen: 'export', category: one.category },
  exports: [one],
  panels: {
    ...base.panels,
    [one.category]: {
      ...base.panels[one.category],
      ledger: { span: 24, isLoading: false, hours: hours(2) },
      ...panel,
    },
  },
  ...more,
});

const testing = (lastTest: Partial<LastTest>): State =>
  shown(streamExport({ lastTest: { requestedAt: ago(0.1), outcome: 'running', ...lastTest } }));

const logFound = (found: Pick<LogCheck, 'outcome' | 'since'>): State =>
  shown(streamExport(), {
    log: {
      isLoading: false,
      found: {
        size: 1_204,
        checkpoint: `api.omi.example/0199c0de/public\n1204\n${'c0ffee4b1d'.repeat(4)}c00=\n\n— api.omi.example/0199c0de/public ${'MEUCIQDx'.repeat(12)}\n`,
        ...found,
      },
    },
  });

const form = base.panels.public.replayForm;

/** The page in every state that somebody can meet. The ledger is short where it is not what counts. */
export const states: Readonly<Record<string, State>> = {
  'sign-in': base,
  'sign-in-refused': {
    ...base,
    signInProblem: {
      of: 'token',
      text: 'This token can do more than this page needs: omi:events:post. Ask for a token with the scopes omi:exports:get and omi:exports:post alone.',
    },
  },
  'sign-in-member': withSignIn,
  'sign-in-member-busy': { ...withSignIn, isSigningIn: true },
  'sign-in-member-ended': { ...withSignIn, signInProblem: { of: 'member', text: endings.member.ended } },
  'sign-in-member-refused': { ...withSignIn, signInProblem: { of: 'member', text: endings.member.empty } },
  member: { ...signedIn, session: { canAct: true, expiresAt: now + 3_000_000, name: 'Ines Holm' } },
  asking: { ...base, session: { canAct: true, expiresAt: now + 1 } },
  exports: signedIn,
  'exports-parked': { ...signedIn, exports: [parked, bucketExport({ state: 'degraded' })] },
  'no-exports': { ...signedIn, exports: [] },
  'out-of-date': { ...signedIn, problem: 'The service cannot be reached. Check your connection.' },
  active: shown(streamExport()),
  bucket: shown(bucketExport({ warning: 'The bucket has no versions.' })),
  parked: shown(parked),
  'parked-copied': shown(parked, {}, { copied: 'statement' }),
  'bus-parked': shown(busParked),
  'bucket-gap': shown(
    bucketExport({
      inBucket: 5_020,
      givenUp: {
        count: 100,
        losses: [
          { from: ago(1_500), to: ago(1_400), events: 100, reason: 'The bucket refused them for 24 hours.' },
        ],
      },
    }),
  ),
  'bucket-unproven': shown(
    bucketExport({
      state: 'validating',
      inBucket: 0,
      code: 'Verification.OwnershipUnproven',
      reason: 'Who can read the bucket must give the text of the object omi/ownership-1 to the operator.',
    }),
  ),
  degraded: shown(
    streamExport({
      state: 'degraded',
      reason: 'AWS refuses some calls for now. Nobody needs to act.',
      waiting: 12,
      action: { who: 'nobody', what: 'Nobody needs to act.' },
    }),
  ),
  validating: shown(
    streamExport({
      state: 'validating',
      action: { who: 'operator', what: 'The operator must test the target.' },
    }),
  ),
  'paused-by-tenant': shown(streamExport({ state: 'paused', action: { who: 'tenant', what: 'Resume it.' } })),
  'paused-by-operator': shown(
    streamExport({ state: 'paused', action: { who: 'operator', what: 'The operator must resume it.' } }),
  ),
  'no-destination': shown(streamExport({ destination: { kind: 'none' } })),
  'unknown-state': shown(streamExport({ state: 'later' as Export['state'], destination: { kind: 'later' } })),
  'category-missing': {
    ...signedIn,
    route: { screen: 'export', category: 'log' },
    exports: [streamExport()],
  },
  'only-reading': shown(streamExport(), {}, { session: { canAct: false, expiresAt: now + 1_000 } }),
  'test-waiting': testing({ outcome: 'waiting' }),
  'test-running': testing({}),
  'test-failed': testing({
    outcome: 'failed',
    endedAt: ago(0),
    reason: 'The role cannot be assumed. The tenant must correct its trust policy.',
    nextAt: new Date(now + 60_000).toISOString(),
  }),
  'test-postponed': testing({ outcome: 'postponed', endedAt: ago(0), reason: 'STS throttles calls.' }),
  'test-refused': shown(streamExport(), {
    test: { phase: 'refused', problem: 'Too many requests. Try again in 40 minutes.' },
  }),
  'pause-confirming': shown(streamExport(), { steering: { phase: 'confirming' } }),
  'pause-refused': shown(streamExport(), {
    steering: { phase: 'refused', problem: 'The service is not available at the moment.' },
  }),
  'replay-wrong': shown(streamExport(), {
    replayForm: { ...form, problem: { field: 'to', text: 'The end must be later than the beginning.' } },
  }),
  replays: shown(streamExport(), {
    replayForm: { ...form, types: ['UserSignedInEvent'] },
    replays: [
      replay(),
      replay({ replayId: '2', state: 'done', types: ['UserSignedInEvent'] }),
      replay({ replayId: '3', state: 'failed', reason: 'The destination of this target is none.' }),
    ],
  }),
  'log-first': logFound({ outcome: 'first' }),
  'log-unchanged': logFound({ outcome: 'unchanged', since: ago(14_400) }),
  'log-changed': logFound({ outcome: 'changed', since: ago(14_400) }),
  'log-of-another-name': logFound({ outcome: 'other-log' }),
  'log-unreadable': logFound({ outcome: 'unreadable' }),
  deliveries: shown(streamExport(), {
    deliveries: {
      isLoading: false,
      cursor: '1795339800000.9f86d081',
      list: [
        {
          at: ago(1),
          ms: 2_113,
          outcome: 'partly',
          lane: '0/2',
          events: {
            count: 3,
            ids: ['0199c0de-0001-7000-8000-00000000000a', '0199c0de-0002-7000-8000-00000000000b'],
          },
          status: 401,
          error: 'Webhook.Http401: The receiver answers with HTTP 401.',
          answer: '{"error":"invalid signature"}',
        },
        {
          at: ago(2),
          ms: 48,
          outcome: 'delivered',
          lane: '1/2',
          events: { count: 1, ids: ['0199c0de-0003-7000-8000-00000000000c'] },
        },
      ],
    },
  }),
  samples: shown(streamExport(), {
    samples: {
      isLoading: false,
      list: [
        {
          metadata: {
            agent: 'omi-test',
            aggregateId: 'alice@omi.test',
            eventId: '0199c0de-0001-7000-8000-00000000000a',
            producerId: 'omi-test',
            type: 'UserCreatedEvent',
          },
          payload: { userId: 'alice@omi.test' },
        },
      ],
    },
  }),
  'samples-none': shown(streamExport(), { samples: { isLoading: false, list: [] } }),
  'samples-failed': shown(streamExport(), {
    samples: { isLoading: false, problem: 'The service cannot be reached. Check your connection.' },
  }),
  'test-with-event': testing({
    outcome: 'passed',
    endedAt: ago(0),
    event: { type: 'UserCreatedEvent', eventId: '0199c0de-0001-7000-8000-00000000000a' },
  }),
  'deliveries-failed': shown(streamExport(), {
    deliveries: { isLoading: false, problem: 'The service cannot be reached. Check your connection.' },
  }),
  'deliveries-none': shown(streamExport(), { deliveries: { isLoading: false, list: [] } }),
  'ledger-hour': shown(streamExport(), {
    ledger: { span: 24, isLoading: false, hours: hours(24), chosen: hours(24)[20]?.hour ?? '' },
  }),
  'ledger-long': shown(streamExport(), { ledger: { span: 336, isLoading: true, hours: hours(336) } }),
  'ledger-loading': shown(streamExport(), { ledger: { span: 24, isLoading: true } }),
  'ledger-failed': shown(streamExport(), {
    ledger: {
      span: 24,
      isLoading: false,
      problem: 'The service cannot be reached. Check your connection.',
    },
  }),
  'ledger-empty': shown(streamExport(), {
    ledger: {
      span: 24,
      isLoading: false,
      hours: hours(24).map((hour) => ({ ...hour, count: 0, types: {} })),
    },
  }),
};
