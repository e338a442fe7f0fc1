import type { TokenOptions } from '../../http/src/access-tokens.ts';
import type { PublicKey } from '../../evidence/src/types.ts';
import type { AskedQuestion } from '../../evidence/src/verify-evidence.ts';
import type { AskedGroup } from '../../evidence/src/verify-group.ts';
import type { components } from './generated/api.ts';

type Schemas = components['schemas'];

/** One question to a user, and its state. */
export type Confirmation = Schemas['Confirmation'];
export type Device = Schemas['Device'];
export type StartedEnrolment = Schemas['Enrolment'];
export type EnrolmentStatus = Schemas['EnrolmentStatus'];
export type Purpose = NonNullable<Schemas['PushRequest']['purpose']>;
export type RequestOrigin = NonNullable<Schemas['PushRequest']['requestedFrom']>;
/** A fault of one member of a request. */
export type RequestFault = Schemas['InvalidRequest']['errors'][number];

/** A member of an authorization request (RFC 9396). The device shows all of it. */
export type AuthorizationDetail = { type: string; [member: string]: unknown };

type Ended<Status extends Confirmation['status'], Members = unknown> = Omit<
  Confirmation,
  'status' | 'matchCode' | 'repeated'
> & { status: Status } & Members;

/** The user confirmed, and the evidence was verified. */
export type Confirmed = Ended<'confirmed', { deviceId: string; evidence: string; deviceKey: PublicKey }>;
/** The user denied the request. `not_me` means that the user did not start this. */
export type DeniedByUser = Ended<'denied'>;
/** A confirmation that cannot change any more. Only `confirmed` is a yes. */
export type FinalConfirmation =
  | Confirmed
  | DeniedByUser
  | Ended<'expired'>
  | Ended<'cancelled'>
  | Ended<'failed'>;

/** What the website asks the user. */
export type SendRequest = {
  /** The website's id of the user. */
  userId: string;
  /** What the user agrees to. The device shows it and signs it. */
  message: string;
  /** Needed if the user has several devices, and not all are asked. */
  deviceId?: string | undefined;
  /** `all` asks every device of the user with a free place: the first answer decides. Not with `deviceId`. */
  devices?: 'one' | 'all' | undefined;
  /** What the user agrees to, for programs (RFC 9396). The device shows it beside the message, and signs it. */
  details?: readonly AuthorizationDetail[] | undefined;
  /** Allows a change of the user's devices, once it is confirmed. */
  purpose?: Purpose | undefined;
  /** The device that the confirmation removes: with the purpose `remove-device`, which needs it. */
  subjectDeviceId?: string | undefined;
  /** Where the user's request came from. The device shows it, so that the user notices somebody else's request. */
  requestedFrom?: RequestOrigin | undefined;
  /** Where the app leads the user back to after the answer, if the website is open on the same phone. */
  returnTo?: string | undefined;
  /** Seconds in which the user may answer: 30 to the tenant's longest lifetime, which is 600 by default. */
  expiresIn?: number | undefined;
  /** The idempotency key. A new one is made if there is none. */
  nonce?: string | undefined;
};

/** One question to several users, of whom some must confirm. Each has a vote: a confirmation without a nonce. */
export type Group = Schemas['Group'];
/** A group that cannot change any more. Only `approved` is a yes. */
export type FinalGroup = Omit<Group, 'status' | 'repeated'> & { status: Exclude<Group['status'], 'pending'> };

/** What the website asks several users. */
export type GroupRequest = Pick<
  SendRequest,
  'message' | 'details' | 'requestedFrom' | 'expiresIn' | 'nonce'
> & {
  /** The website's ids of 2 to 20 users. Leave out the one who asks. */
  members: readonly string[];
  /** How many of them must confirm. */
  required: number;
};

export type ConfirmGroupRequest = GroupRequest &
  Pick<WaitOptions, 'signal'> &
  Pick<AskedGroup, 'knownKeys'> & {
    /** Gets the group while it is `pending`, once. */
    onPending?: ((group: Group) => unknown) | undefined;
  };

/** Whose device is enrolled. */
export type EnrolRequest = {
  /** The website's id of the user. */
  userId: string;
  /** What apps show in place of the user's id, such as "Anna · …4711". Absent: the label stays as it is. */
  accountLabel?: string | undefined;
  /** The nonce of a confirmation with the purpose `add-device`, where the tenant wants one. */
  confirmation?: string | undefined;
};

export type WaitOptions = {
  /** Withdraws the question. The promise then rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /** Gets the confirmation while it is `pending`, once. After a send it has `matchCode`, if number matching is on. */
  onPending?: ((confirmation: Confirmation) => unknown) | undefined;
};

export type ConfirmRequest = SendRequest & WaitOptions & Pick<Asked, 'knownKeys'>;

/** What was asked, from the website's own records: the evidence is compared with it. */
export type Asked = AskedQuestion & {
  details?: readonly AuthorizationDetail[] | undefined;
  purpose?: Purpose | null | undefined;
};

type WithoutSecrets<Member> = Member extends unknown
  ? Omit<Member, 'nonce' | 'matchCode' | 'repeated'>
  : never;

/** What the service sends to a callback URL when a confirmation or a group has ended. */
export type Callback = ConfirmationCallback | GroupCallback;

export type GroupCallback = {
  [Status in FinalGroup['status']]: {
    type: `group.${Status}`;
    timestamp: string;
    data: Omit<FinalGroup, 'nonce' | 'status'> & { status: Status };
  };
}[FinalGroup['status']];

export type ConfirmationCallback = {
  [Status in FinalConfirmation['status']]: {
    type: `confirmation.${Status}`;
    timestamp: string;
    data: WithoutSecrets<Extract<FinalConfirmation, { status: Status }>>;
  };
}[FinalConfirmation['status']];

/** The service, and who calls it. */
export type ConnectionOptions = {
  /** As the operator names it. */
  baseUrl: string;
  /** The tenant that evidence and callbacks must be of. */
  tenantId?: string | undefined;
  /** `whsec_…`, or both while the secret is rotated. */
  callbackSecret?: string | readonly string[] | undefined;
} & TokenOptions;

type NameOf<Options> = Options extends unknown ? keyof Options : never;
/** The environment has the connection: `OMI_BASE_URL` and so on. */
type NoConnection = Partial<Record<NameOf<ConnectionOptions>, never>>;

export type OmiOptions = (ConnectionOptions | NoConnection) & {
  /** Base URLs that the service had before: evidence of that time names them. */
  formerBaseUrls?: readonly string[] | undefined;
  /** Whether users that exist for tests alone may confirm. */
  testUsers?: boolean | undefined;
  /**
   * Whether `enrol` and `removeDevice` are for users who have lost their devices: they use the scope `credential:omi:recovery`
   * and need no confirmation. For a help desk, with a client of its own.
   */
  recovery?: boolean | undefined;
  fetch?: typeof globalThis.fetch | undefined;
  /** The clock, in milliseconds since 1970. */
  now?: (() => number) | undefined;
  /** How pauses between polls are waited. Rejects with the signal's reason if it aborts. */
  sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
};
