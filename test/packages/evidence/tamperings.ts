/** Changes to the files of one payment. Each of them must be found. */
import { secondKeyOf } from '../../../packages/device/vectors/generator/second-key.ts';
import type { PublicJwk } from '../../../packages/device/vectors/generator/keys.ts';
import type { ExportedEvent, PaymentFiles } from './payment-files.ts';

type Json = Record<string, unknown>;

/** The same of another payment: of another user, on another device with another passkey. */
export type Others = { confirmation: Json; secondAnswer: Json };

export type Tampering = {
  name: string;
  codes: string[];
  change: (files: PaymentFiles, others: Others) => void;
};

const parse = (text: unknown): Json => JSON.parse(String(text)) as Json;
const shift = (time: string, hours: number): string =>
  new Date(Date.parse(time) + hours * 3_600_000).toISOString();

const inContext =
  (change: (context: Json) => void): Tampering['change'] =>
  ({ confirmation }) => {
    const context = parse(confirmation['context']);
    change(context);
    confirmation['context'] = JSON.stringify(context);
  };

/** The key of the receipt, in the key document. */
function receiptKey({ confirmation, keys }: PaymentFiles) {
  const [header = ''] = String(confirmation['receipt']).split('.');
  const { kid } = parse(Buffer.from(header, 'base64url'));
  const key = keys.keys.find((one) => one.kid === kid && one.for === 'receipt');
  if (!key) throw new Error('The key document has no key of the receipt');
  return key;
}

/** The claims of a JWS, changed, with the signature as it was. */
function claimsChanged(jws: unknown, change: Json): string {
  const [header = '', claims = '', signature = ''] = String(jws).split('.');
  const changed = { ...parse(Buffer.from(claims, 'base64url')), ...change };
  return [header, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
}

export const tamperings: Tampering[] = [
  {
    name: 'another message',
    codes: ['messageHash'],
    change: (files) => void (files.message = files.message.replace('16.00', '1600')),
  },
  {
    name: 'another amount in the details',
    codes: ['detailsHash'],
    change: (files) => void (files.details = files.details?.replace('16.00', '1600') ?? '[]'),
  },
  { name: 'no details', codes: ['detailsHash'], change: (files) => delete files.details },
  {
    name: 'another nonce',
    codes: ['challengeId'],
    change: ({ confirmation }) => void (confirmation['nonce'] = 'another-nonce-0123456789'),
  },
  {
    name: 'another tenant',
    codes: ['tid'],
    change: ({ confirmation }) => void (confirmation['tenantId'] = crypto.randomUUID()),
  },
  {
    name: 'another user',
    codes: ['sub'],
    change: ({ confirmation }, others) => void (confirmation['userId'] = others.confirmation['userId']),
  },
  {
    name: 'another device',
    codes: ['kid'],
    change: ({ confirmation }, others) => void (confirmation['deviceId'] = others.confirmation['deviceId']),
  },
  {
    name: 'a denial in place of the confirmation',
    codes: ['decision'],
    change: ({ confirmation }) => void (confirmation['status'] = 'denied'),
  },
  {
    name: 'another time of the decision',
    codes: ['decidedAt'],
    change: ({ confirmation }) =>
      void (confirmation['decidedAt'] = shift(String(confirmation['decidedAt']), -1)),
  },
  {
    name: 'another requester in the context',
    codes: ['contextHash'],
    change: inContext((context) => void (context['requester'] = { tenant: 'Eve', client: 'website' })),
  },
  {
    name: 'another purpose in the context',
    codes: ['contextHash'],
    change: inContext((context) => void (context['purpose'] = 'add-device')),
  },
  {
    name: 'another origin in the context',
    codes: ['contextHash'],
    change: inContext((context) => void (context['requestedFrom'] = { place: 'Köln' })),
  },
  {
    name: 'another mode of verification in the context',
    codes: ['contextHash'],
    change: inContext((context) => {
      context['userVerification'] = context['userVerification'] === 'off' ? 'required' : 'off';
    }),
  },
  {
    name: "another device's key",
    codes: ['signature'],
    change: ({ confirmation }, others) => void (confirmation['deviceKey'] = others.confirmation['deviceKey']),
  },
  {
    name: 'a second key that verifies the same signature',
    codes: ['jkt'],
    change: ({ confirmation }) => {
      const signer = confirmation['deviceKey'] as PublicJwk;
      confirmation['deviceKey'] = secondKeyOf(String(confirmation['evidence']), signer);
    },
  },
  {
    name: "another device's receipt",
    codes: ['receipt-tid', 'receipt-sub', 'receipt-deviceId'],
    change: ({ confirmation }, others) => void (confirmation['receipt'] = others.confirmation['receipt']),
  },
  {
    name: 'a receipt that names another key',
    codes: ['receipt-signature'],
    change: ({ confirmation }) =>
      void (confirmation['receipt'] = claimsChanged(confirmation['receipt'], { jkt: 'A'.repeat(43) })),
  },
  {
    name: 'no receipt',
    codes: ['missing'],
    change: ({ confirmation }) => delete confirmation['receipt'],
  },
  {
    name: 'a receipt by a key for tokens',
    codes: ['receipt-key'],
    change: (files) => void (receiptKey(files).for = 'token'),
  },
  {
    name: 'a receipt by an unknown key',
    codes: ['receipt-key'],
    change: (files) => void (files.keys.keys = files.keys.keys.filter((key) => key !== receiptKey(files))),
  },
  {
    name: 'a receipt from before its key',
    codes: ['receipt-time'],
    change: (files) => void (receiptKey(files).from = shift(new Date().toISOString(), 24)),
  },
  {
    name: 'a receipt from after its key',
    codes: ['receipt-time'],
    change: (files) => {
      Object.assign(receiptKey(files), {
        from: '2020-01-01T00:00:00.000Z',
        until: '2021-01-01T00:00:00.000Z',
      });
    },
  },
  {
    name: 'a verification of the user that is hidden',
    codes: ['user-verified'],
    change: ({ confirmation }) => void (confirmation['userVerified'] = false),
  },
  {
    name: 'a verification of the user that nobody gave',
    codes: ['user-verified'],
    change: (files, { secondAnswer }) => {
      files.confirmation = { ...secondAnswer, userVerified: true };
      delete files.details;
      delete files.events;
    },
  },
  {
    name: "another passkey's key",
    codes: ['passkey-key'],
    change: ({ confirmation }, others) =>
      void (confirmation['passkeyKey'] = others.confirmation['deviceKey']),
  },
  {
    name: 'the assertion of another answer',
    codes: ['signature'],
    change: ({ confirmation }) => {
      const userVerification = { id: 'x', authenticatorData: 'AA', clientDataJSON: 'AA', signature: 'AA' };
      confirmation['evidence'] = claimsChanged(confirmation['evidence'], { userVerification });
    },
  },
  {
    name: 'the evidence of another confirmation',
    codes: ['challengeId'],
    change: ({ confirmation }, { secondAnswer }) =>
      void (confirmation['evidence'] = secondAnswer['evidence']),
  },
];

/** Changes to the exported events, or to what they say together. */
export const eventTamperings: Tampering[] = [
  {
    name: 'the removal of the device an hour before',
    codes: ['removed-before'],
    change: (files) => {
      const answer = eventOf(files, 'PushNotificationConfirmedEvent');
      const { deviceId, userId } = answer.payload;
      files.events?.unshift({
        metadata: {
          ...answer.metadata,
          type: 'UserDeviceDeregisteredEvent',
          occurredTime: shift(answer.metadata.occurredTime, -1),
        },
        payload: { deviceId, userId },
      });
    },
  },
  {
    name: 'an event with another message',
    codes: ['event-differs'],
    change: (files) => void (eventOf(files, 'PushNotificationConfirmedEvent').payload['messageHash'] = 'x'),
  },
  {
    name: 'an event at another time',
    codes: ['event-differs'],
    change: (files) => {
      const { metadata } = eventOf(files, 'PushNotificationConfirmedEvent');
      metadata.occurredTime = shift(metadata.occurredTime, 1);
    },
  },
  {
    name: 'an event of another confirmation in place of its own',
    codes: ['event-missing'],
    change: (files) => void (eventOf(files, 'PushNotificationConfirmedEvent').payload['challengeId'] = 'x'),
  },
  {
    name: 'a denial in the events',
    codes: ['event-differs'],
    change: (files) => {
      eventOf(files, 'PushNotificationConfirmedEvent').metadata.type = 'PushNotificationDeniedEvent';
    },
  },
  {
    name: 'an event without the verification of the user',
    codes: ['event-differs'],
    change: (files) =>
      void (eventOf(files, 'PushNotificationConfirmedEvent').payload['userVerified'] = false),
  },
  {
    name: 'the enrolment of another key',
    codes: ['enrolment-differs'],
    change: (files) => void (eventOf(files, 'UserDeviceRegisteredEvent').payload['jkt'] = 'x'),
  },
];

export function eventOf({ events = [], confirmation }: PaymentFiles, type: string): ExportedEvent {
  const { challengeId, deviceId } = confirmation;
  const found = events.find(
    ({ metadata, payload }) =>
      metadata.type === type &&
      payload['deviceId'] === deviceId &&
      (payload['challengeId'] === challengeId || type.startsWith('UserDevice')),
  );
  if (!found) throw new Error(`There is no ${type}`);
  return found;
}
