import {
  readContext,
  WebCryptoKey,
  type Brand,
  type Challenge,
  type ChallengeContext,
  type EnrolmentPreview,
} from '#device';
import type { Account, HistoryEntry } from '../../../../pages/app/src/platform/index.ts';
import {
  initialState,
  type Contact,
  type OpenChallenge,
  type State,
} from '../../../../pages/app/src/state/state.ts';

/** A fixed moment, so that the pictures are the same at every run. */
export const now = Date.parse('2026-11-22T09:30:00.000Z');

const key = new WebCryptoKey(
  { privateKey: {} as CryptoKey, publicKey: {} as CryptoKey },
  {
    kty: 'EC',
    crv: 'P-256',
    x: '',
    y: '',
  },
);

export const accountOf = (id: string, more: Partial<Account> = {}): Account => ({
  deviceId: id,
  tenantId: '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01',
  userId: '0199c0de-0003-7000-8000-000000004711',
  baseUrl: 'https://omi.example.org',
  name: 'iPhone, Safari',
  tenantName: 'Nordbank',
  label: 'Zoë · …4711',
  enrolledAt: now - 40 * 86_400_000,
  key,
  ...more,
});

type Shown = Partial<Challenge & ChallengeContext>;

export const challengeOf = (
  id: string,
  {
    requester = { tenant: 'Nordbank', client: 'Online banking' },
    purpose,
    device,
    userVerification = 'off',
    requestedFrom,
    group,
    ...more
  }: Shown = {},
): Challenge => ({
  challengeId: id,
  tenant: 'Nordbank',
  account: 'Zoë · …4711',
  message: 'Pay 16.00 € to Café Zoë ☕?',
  messageHash: 'hash',
  createdAt: '2026-11-22T09:29:45.000Z',
  expiresAt: '2026-11-22T09:31:45.000Z',
  expiresInMs: 105_000,
  context: JSON.stringify({ requester, purpose, device, userVerification, requestedFrom, group }),
  contextHash: 'hash',
  ...more,
});

export function openOf(id: string, more: Shown = {}, deviceId = 'phone'): OpenChallenge {
  const challenge = challengeOf(id, more);
  return { deviceId, challenge, context: readContext(challenge.context), deadline: now + 105_000 };
}

/** A challenge whose context names nobody, with the names of somebody beside it. */
const unsigned: OpenChallenge = (() => {
  const open = openOf('one', { context: '{"userVerification":"off"}' });
  const beside: ChallengeContext = {
    requester: { tenant: 'Sparkasse', client: 'Online banking' },
    purpose: 'add-device',
    userVerification: 'off',
    requestedFrom: { browser: 'Opera on Mac' },
  };
  return { ...open, challenge: { ...open.challenge, ...beside } };
})();

const brand: Brand = {
  name: 'Nordbank · hell & klar',
  color: '#ffd400',
  logoUrl: 'https://omi.example.org/omi/device/tenants/6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01/logo',
  supportUrl: 'https://nordbank.example/help',
};

const tenantId = '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01';

/** The same tenant with another brand. */
const brandedAs = (name: string, color: string) => ({ brands: { [tenantId]: { ...brand, name, color } } });

const branded = { brands: { '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01': brand } };

const reached: Contact = { state: 'reached', failures: 0, nextFetchAt: now, notBefore: 0 };

const home: State = {
  ...initialState(now, { screen: 'home' }),
  phase: 'ready',
  baseUrl: 'https://omi.example.org',
  accounts: [accountOf('phone')],
  contacts: { phone: reached },
  push: { state: 'active' },
};

const details = JSON.stringify([
  {
    type: 'payment_initiation',
    instructedAmount: { currency: 'EUR', amount: '1250.00' },
    creditorName: 'شركة المثال',
    creditorAccount: { iban: 'DE89 3704 0044 0532 0130 00' },
    urgent: true,
    remittanceInformation: ['Invoice 2026-118', 'Project \u202eNord'],
  },
]);

const challengeWith = (more: Shown = {}, state: Partial<State> = {}): State => ({
  ...home,
  route: { screen: 'challenge', challengeId: 'one' },
  challenges: [openOf('one', more)],
  ...state,
});

const confirmedFrom = (requestedFrom: NonNullable<ChallengeContext['requestedFrom']>): HistoryEntry => ({
  ...{
    challengeId: 'before',
    deviceId: 'phone',
    outcome: 'confirmed',
    at: now - 86_400_000,
    message: 'Pay?',
  },
  requestedFrom,
});

const answering = {
  challengeId: 'one',
  phase: 'idle',
  asksNumber: false,
  requiresVerification: false,
} as const;

const resultOf = (outcome: State['ended'][string]['outcome'], state: Partial<State> = {}): State => ({
  ...home,
  route: { screen: 'challenge', challengeId: 'one' },
  ended: { one: { ...openOf('one'), outcome, elsewhere: false } },
  ...state,
});

/** For whom the link of these states is. */
const preview: EnrolmentPreview = {
  tenant: 'Nordbank',
  account: 'Zoë · …4711',
  expiresAt: '2026-11-22T09:40:00.000Z',
  userVerification: 'off',
};

const enrolAt = (step: NonNullable<State['enrolling']>['step'], state: Partial<State> = {}): State => ({
  ...home,
  accounts: [],
  contacts: {},
  push: { state: 'off', permission: 'prompt' },
  route: { screen: 'enrol' },
  enrolling: {
    step,
    text: 'https://app.example.org/enrol#v=1&api=https://omi.example.org&code=abc',
    preview,
  },
  ...state,
});

const history: State['history'] = [
  {
    challengeId: '1',
    deviceId: 'phone',
    outcome: 'confirmed',
    at: now - 600_000,
    message: 'Pay 16.00 € to Café Zoë ☕?',
    requester: { tenant: 'Nordbank', client: 'Online banking' },
    requestedFrom: { browser: 'Firefox on Windows', place: 'Köln', ip: '192.0.2.44' },
    userVerified: true,
  },
  {
    challengeId: '7',
    deviceId: 'phone',
    outcome: 'confirmed',
    at: now - 3_600_000,
    message: 'Remove the device “Pixel, Chrome” from your account?',
    requester: { tenant: 'Nordbank', client: 'Online banking' },
    purpose: 'remove-device',
    device: { deviceId: 'second', name: 'Pixel, Chrome' },
  },
  {
    challengeId: '2',
    deviceId: 'phone',
    outcome: 'denied',
    at: now - 7_200_000,
    message: 'Change your e-mail address to zoe@new.example?',
  },
  {
    challengeId: '3',
    deviceId: 'phone',
    outcome: 'not_me',
    at: now - 90_000_000,
    message: 'Sign in on a new computer in Lisbon?',
  },
  {
    challengeId: '4',
    deviceId: 'phone',
    outcome: 'expired',
    at: now - 180_000_000,
    message: 'هل تريد دفع 250.00 ر.س؟',
  },
  {
    challengeId: '5',
    deviceId: 'phone',
    outcome: 'failed',
    at: now - 280_000_000,
    message: 'Raise your card limit to 5,000 €?',
  },
  {
    challengeId: '6',
    deviceId: 'phone',
    outcome: 'cancelled',
    at: now - 380_000_000,
    message: 'Pay 4.20 € to Bakery?',
  },
];

const messages = [
  'Pay 16.00 € to Café Zoë ☕?',
  'Approve the release of version 4.2 to production?',
  'Let the assistant order 40 replacement filters, for 1,250.00 € in all, from Beispiel GmbH, to be delivered to the plant in Rotterdam by the end of next week at the latest?',
  'هل تريد دفع 250.00 ر.س؟',
];

const stage = {
  name: 'Beispiel Confirm',
  color: '#ffd400',
  languages: ['de', 'en'],
  imprintUrl: 'https://www.example.com/imprint',
  privacyUrl: 'https://www.example.com/privacy',
} as const;

/** Every screen in every state that a user can meet. */
const lost = [{ deviceId: 'lost', tenantName: 'Nordbank', label: 'Zoë · …4711' }];

export const states: Readonly<Record<string, State>> = {
  welcome: { ...home, accounts: [], contacts: {}, push: { state: 'off', permission: 'prompt' } },
  starting: { ...home, phase: 'starting' },
  unsupported: { ...home, phase: 'broken' },
  'nothing-open': home,
  'first-fetch': { ...home, contacts: {} },
  requests: {
    ...home,
    accounts: [accountOf('phone'), accountOf('second', { tenantName: 'Stadtwerke' })],
    contacts: { phone: reached, second: reached },
    challenges: [
      openOf('one'),
      openOf(
        'two',
        { message: 'Change your bank account for the monthly payment?', requester: { tenant: 'Stadtwerke' } },
        'second',
      ),
    ],
  },
  'settings-stage': { ...home, route: { screen: 'settings' }, stage },
  'requests-unsigned': { ...home, challenges: [unsigned] },
  'many-requests': {
    ...home,
    challenges: Array.from({ length: 20 }, (_, index) => ({
      ...openOf(`many-${index}`, { message: messages[index % messages.length] ?? '' }),
      deadline: now + 95_000 + index * 17 * 60_000,
    })),
  },
  offline: { ...home, online: false },
  'offline-since-start': { ...home, online: false, contacts: {} },
  unreachable: { ...home, contacts: { phone: { ...reached, state: 'unreachable' } } },
  'unreachable-one-of-two': {
    ...home,
    accounts: [accountOf('phone'), accountOf('second')],
    contacts: { phone: reached, second: { ...reached, state: 'unreachable' } },
  },
  'clock-off': { ...home, clockOffsetMs: -7 * 60_000 },
  'key-lost': {
    ...home,
    accounts: [],
    contacts: {},
    lost,
  },
  'device-removed': { ...home, contacts: { phone: { ...reached, state: 'removed' } } },
  'push-off': { ...home, push: { state: 'off', permission: 'prompt' } },
  'push-denied': { ...home, push: { state: 'off', permission: 'denied' } },
  'push-revoked': { ...home, push: { state: 'revoked' } },
  'push-unreachable': { ...home, push: { state: 'unreachable' } },
  'update-ready': { ...home, updateReady: true },
  challenge: challengeWith(),
  'challenge-unknown-requester': challengeWith({ context: '{"userVerification":"off"}' }),
  'challenge-unsigned': challengeWith({}, { challenges: [unsigned], ...branded }),
  'challenge-brand': challengeWith({}, branded),
  'challenge-brand-wine': challengeWith({}, brandedAs('Sonnenkasse', '#7a0026')),
  'challenge-brand-forest': challengeWith({}, brandedAs('Waldkredit', '#0a7d4f')),
  'challenge-labels': challengeWith(
    { message: 'Approve this transfer?', details, detailsHash: 'hash' },
    {
      brands: {
        [tenantId]: {
          name: 'Nordbank',
          detailLabels: {
            payment_initiation: {
              ...{ instructedAmount: 'Amount', creditorName: 'To', 'creditorAccount.iban': 'IBAN' },
            },
          },
        },
      },
    },
  ),
  'challenge-details': challengeWith({ message: 'Approve this transfer?', details, detailsHash: 'hash' }),
  'challenge-raw-details': challengeWith({ details: '[{"type":', detailsHash: 'hash' }),
  'challenge-add-device': challengeWith({
    purpose: 'add-device',
    message: 'Add the device “Pixel, Chrome” to your account?',
  }),
  'challenge-vote': challengeWith({ group: { id: 'group', required: 2, of: 3 } }),
  'challenge-vote-seen': challengeWith({
    group: { id: 'group', required: 3, of: 4 },
    votes: { confirmed: 2, confirmedBy: ['Anna · …4711', 'شركة المثال'] },
  }),
  'challenge-vote-first': challengeWith({
    group: { id: 'group', required: 2, of: 2 },
    votes: { confirmed: 0, confirmedBy: [] },
  }),
  'challenge-remove-device': challengeWith({
    purpose: 'remove-device',
    device: { deviceId: 'second', name: 'Pixel, Chrome' },
    message: 'Remove the device “Pixel, Chrome” from your account?',
  }),
  'challenge-remove-this-device': challengeWith({
    purpose: 'remove-device',
    device: { deviceId: 'phone', name: 'iPhone, Safari' },
    message: 'Remove the device “iPhone, Safari” from your account?',
    requestedFrom: { browser: 'Firefox on Windows' },
  }),
  'challenge-origin': challengeWith({
    createdAt: '2026-11-22T09:27:45.000Z',
    requestedFrom: { browser: 'Firefox on Windows', place: 'Köln', ip: '192.0.2.44' },
  }),
  'challenge-origin-ip': challengeWith({
    requestedFrom: { ip: '2001:db8:85a3:8d3:1319:8a2e:370:7348' },
  }),
  'challenge-origin-long': challengeWith({
    requester: { tenant: 'Nordbank', client: 'N'.repeat(64) },
    purpose: 'remove-device',
    device: { deviceId: 'second', name: 'D'.repeat(64) },
    requestedFrom: { browser: 'متصفح أندرويد', place: 'Llanfairpwllgwyngyll'.repeat(3) },
  }),
  'challenge-pick': challengeWith({ matchNumbers: ['27', '61', '90'] }),
  'challenge-pick-missing': challengeWith(
    { matchNumbers: ['27', '61', '90'] },
    { answering: { ...answering, decision: 'confirm', problem: 'number-missing' } },
  ),
  'challenge-type': challengeWith({}, { answering: { ...answering, decision: 'confirm', asksNumber: true } }),
  'challenge-type-first': challengeWith({ typedNumber: true }),
  'challenge-unusual-origin': challengeWith(
    { requestedFrom: { browser: 'Chrome on Linux', place: 'Lagos' } },
    { history: [confirmedFrom({ browser: 'Firefox on Windows', place: 'Köln' })] },
  ),
  'challenge-rtl': challengeWith({ message: 'ادفع 20.00 يورو إلى Jo Bakker؟' }),
  'challenge-type-wrong': challengeWith(
    {},
    { answering: { ...answering, decision: 'confirm', asksNumber: true, problem: 'number-format' } },
  ),
  'challenge-passkey': challengeWith(
    { userVerification: 'required' },
    { accounts: [accountOf('phone', { passkey: { id: 'id', rpId: 'app.example.org' } })] },
  ),
  'challenge-verifying': challengeWith(
    { userVerification: 'required' },
    { answering: { ...answering, phase: 'verifying', decision: 'confirm' } },
  ),
  'challenge-verification-cancelled': challengeWith(
    { userVerification: 'preferred' },
    { answering: { ...answering, decision: 'confirm', problem: 'verification-cancelled' } },
  ),
  'challenge-passkey-missing': challengeWith(
    { userVerification: 'required' },
    { answering: { ...answering, decision: 'confirm', problem: 'passkey-missing' } },
  ),
  'challenge-sending': challengeWith(
    {},
    { answering: { ...answering, phase: 'sending', decision: 'confirm' } },
  ),
  'challenge-not-sent': challengeWith(
    {},
    { online: false, answering: { ...answering, decision: 'confirm', problem: 'not-sent' } },
  ),
  'challenge-clock': challengeWith({}, { clockOffsetMs: 3 * 3_600_000 }),
  'challenge-soon': challengeWith({}, { challenges: [{ ...openOf('one'), deadline: now + 9_000 }] }),
  'challenge-long': challengeWith({
    message: `${'Donaudampfschifffahrtsgesellschaft'.repeat(3)} ${'very long words '.repeat(9)}`.slice(
      0,
      256,
    ),
  }),
  'challenge-unknown': {
    ...challengeWith(),
    challenges: [],
    online: false,
    contacts: { phone: { ...reached, state: 'unreachable' } },
  },
  'challenge-gone': { ...challengeWith(), challenges: [] },
  'challenge-key-lost': { ...challengeWith(), challenges: [], accounts: [], contacts: {}, lost },
  'challenge-device-removed': {
    ...challengeWith(),
    challenges: [],
    contacts: { phone: { ...reached, state: 'removed' } },
  },
  'challenge-without-device': { ...challengeWith(), challenges: [], accounts: [], contacts: {} },
  'settings-key-lost': { ...home, route: { screen: 'settings' }, accounts: [], contacts: {}, lost },
  'result-confirmed': resultOf('confirmed'),
  'result-denied': resultOf('denied'),
  'result-not-me': resultOf('not_me'),
  'result-expired': resultOf('expired'),
  'result-wrong-number': resultOf('failed'),
  'result-withdrawn': resultOf('cancelled'),
  'result-mismatch': resultOf('mismatch'),
  'result-with-way-back': resultOf('confirmed', {
    ended: {
      one: {
        ...openOf('one', { returnTo: 'https://shop.example/orders/4711' }),
        outcome: 'confirmed',
        elsewhere: false,
      },
    },
  }),
  'result-elsewhere': resultOf('confirmed', {
    ended: { one: { ...openOf('one'), outcome: 'confirmed', elsewhere: true } },
  }),
  'result-next': resultOf('denied', { challenges: [openOf('two')] }),
  history: { ...home, route: { screen: 'history' }, history },
  'history-unsigned': { ...home, route: { screen: 'history' }, history: history.slice(-1) },
  'history-empty': { ...home, route: { screen: 'history' }, history: [] },
  settings: {
    ...home,
    route: { screen: 'settings' },
    history: [
      { challengeId: '9', deviceId: 'phone', outcome: 'expired', at: now - 1_000, message: 'Pay 5.00 €?' },
      ...history,
    ],
    accounts: [
      accountOf('phone', { passkey: { id: 'id', rpId: 'app.example.org' } }),
      accountOf('second', { tenantName: 'Stadtwerke', label: undefined as never }),
    ],
  },
  'settings-brand': { ...home, route: { screen: 'settings' }, ...branded },
  'settings-push-denied': {
    ...home,
    route: { screen: 'settings' },
    push: { state: 'off', permission: 'denied' },
  },
  'settings-needs-install': {
    ...home,
    route: { screen: 'settings' },
    push: { state: 'off', permission: 'needs-install' },
  },
  'settings-install': { ...home, route: { screen: 'settings' }, install: 'prompt' },
  'settings-empty': { ...home, route: { screen: 'settings' }, accounts: [], contacts: {} },
  rename: { ...home, route: { screen: 'rename', deviceId: 'phone' } },
  'rename-failed': {
    ...home,
    route: { screen: 'rename', deviceId: 'phone' },
    renaming: { deviceId: 'phone', phase: 'failed', typed: 'Kitchen' },
  },
  remove: { ...home, route: { screen: 'remove', deviceId: 'phone' } },
  'remove-failed': {
    ...home,
    route: { screen: 'remove', deviceId: 'phone' },
    removal: { deviceId: 'phone', phase: 'failed' },
  },
  'remove-unknown': { ...home, route: { screen: 'remove', deviceId: 'gone' } },
  'enrol-entry': enrolAt({ at: 'entry', way: 'choose' }),
  'enrol-foreign-link': enrolAt({ at: 'entry', way: 'paste', problem: 'foreign-link' }),
  'enrol-camera-denied': enrolAt({ at: 'entry', way: 'paste', problem: 'denied' }),
  'enrol-scan': enrolAt({ at: 'entry', way: 'scan' }),
  'enrol-checking': enrolAt({ at: 'checking' }),
  'enrol-install': enrolAt({ at: 'install' }),
  'enrol-name': enrolAt({ at: 'name' }),
  'enrol-brand': enrolAt(
    { at: 'name' },
    { enrolling: { step: { at: 'name' }, preview: { ...preview, brand: { ...brand, color: '#1b1464' } } } },
  ),
  'enrol-push': enrolAt({ at: 'push' }),
  'enrol-push-denied': enrolAt({ at: 'push' }, { push: { state: 'off', permission: 'denied' } }),
  'enrol-passkey': enrolAt({ at: 'passkey', isRequired: false }),
  'enrol-passkey-required': enrolAt({ at: 'passkey', isRequired: true, problem: 'cancelled' }),
  'enrol-working': enrolAt({ at: 'working' }),
  'enrol-used': enrolAt({ at: 'failed', code: 'enrolment-code-used' }),
  'enrol-expired': enrolAt({ at: 'failed', code: 'enrolment-code-expired' }),
  'enrol-unknown': enrolAt({ at: 'failed', code: 'enrolment-not-found' }),
  'enrol-network': enrolAt({ at: 'failed', code: 'network' }),
  'enrol-done': enrolAt({ at: 'done', account: accountOf('phone') }),
};
