import { randomBytes } from 'node:crypto';
import type { Policy } from '../iam/policy.ts';
import { accountId } from '../../identity.ts';

/** Temporary credentials for a role. */
export type Session = {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
  expiresAt: Date;
  roleArn: string;
  /** `arn:aws:sts::<account>:assumed-role/<role>/<session>`. */
  arn: string;
} & Bounds;

/** Limits of a session. */
export type Bounds = {
  /** The assumed role. A new role with the same name gives the session no permissions. */
  roleId?: string;
  /** The session policy. */
  policy?: Policy;
};

export type Sessions = {
  open(roleArn: string, name: string, seconds: number, bounds?: Bounds): Session;
  /** Treats calls with this access key as calls of a session of the role. Lambdas have such keys. */
  bind(accessKeyId: string, roleArn: string): void;
  /** Expires all opened sessions. */
  expireAll(): void;
  isExpired(accessKeyId: string): boolean;
  find(accessKeyId: string): Session | undefined;
  identify(accessKeyId: string): Identity;
};

/** The identity of a caller. */
export type Identity = {
  account: string;
  /** The value of `aws:PrincipalArn`: for a session, the role's. */
  principalArn: string;
  arn: string;
  userId: string;
  /** Assuming a role from a session is role chaining. */
  isRoleSession: boolean;
};

/**
 * Sessions by access key. Any other key belongs to a user: of the account with this number if the key has 12 digits,
 * otherwise of the local account.
 */
export function createSessions(): Sessions {
  const sessions = new Map<string, Session>();
  return {
    open: (roleArn, name, seconds, bounds = {}) => {
      const session: Session = {
        accessKeyId: `ASIA${randomId(16)}`,
        secretAccessKey: randomBytes(30).toString('base64'),
        sessionToken: randomBytes(180).toString('base64'),
        expiresAt: new Date(Date.now() + seconds * 1_000),
        roleArn,
        arn: sessionArn(roleArn, name),
        ...bounds,
      };
      sessions.set(session.accessKeyId, session);
      return session;
    },
    bind: (accessKeyId, roleArn) => {
      const arn = sessionArn(roleArn, 'local');
      sessions.set(accessKeyId, { ...permanent, accessKeyId, roleArn, arn });
    },
    expireAll: () => {
      for (const session of sessions.values())
        if (session.expiresAt !== permanent.expiresAt) session.expiresAt = new Date(0);
    },
    isExpired: (accessKeyId) => {
      const session = sessions.get(accessKeyId);
      return session !== undefined && session.expiresAt.getTime() <= Date.now();
    },
    find: (accessKeyId) => sessions.get(accessKeyId),
    identify: (accessKeyId) => {
      const session = sessions.get(accessKeyId);
      return session ? sessionIdentity(session) : userIdentity(accessKeyId);
    },
  };
}

/** The session of a bound access key. The latest time of a `Date` never comes. */
const permanent = { secretAccessKey: '', sessionToken: '', expiresAt: new Date(8.64e15) };

function userIdentity(accessKeyId: string): Identity {
  const account = /^\d{12}$/.test(accessKeyId) ? accessKeyId : accountId;
  const arn = `arn:aws:iam::${account}:user/local`;
  return { account, principalArn: arn, arn, userId: 'AIDALOCAL', isRoleSession: false };
}

function sessionIdentity(session: Session): Identity {
  const { roleArn, arn } = session;
  const userId = `AROALOCAL:${arn.slice(arn.lastIndexOf('/') + 1)}`;
  return { account: accountOf(roleArn), principalArn: roleArn, arn, userId, isRoleSession: true };
}

function sessionArn(roleArn: string, name: string): string {
  return `arn:aws:sts::${accountOf(roleArn)}:assumed-role/${roleArn.slice(roleArn.lastIndexOf('/') + 1)}/${name}`;
}

function accountOf(arn: string): string {
  return arn.split(':')[4] ?? '';
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function randomId(length: number): string {
  return Array.from(randomBytes(length), (byte) => letters.charAt(byte % letters.length)).join('');
}
