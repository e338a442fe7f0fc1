import { randomBytes } from 'node:crypto';
import { ACCOUNT_ID } from '../identity.ts';
import type { Caller } from './roles.ts';

/** Temporary credentials for a role. */
export type Session = {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
  expiresAt: Date;
  roleArn: string;
  /** `arn:aws:sts::<account>:assumed-role/<role>/<session>`. */
  arn: string;
};

export type Sessions = {
  open(roleArn: string, name: string, seconds: number): Session;
  /** Takes calls that are signed with this key for calls of a session of this role, as a Lambda's are. */
  bind(accessKeyId: string, roleArn: string): void;
  /** Ends what was opened so far, as time would. */
  expireAll(): void;
  isExpired(accessKeyId: string): boolean;
  identify(accessKeyId: string): Identity;
};

export type Identity = Caller & {
  arn: string;
  userId: string;
  /** Roles assumed from here on are chained. */
  isRoleSession: boolean;
};

/** Sessions by access key. A key that nobody gave out is a user of the local account: any credentials work. */
export function createSessions(): Sessions {
  const sessions = new Map<string, Session>();
  return {
    open: (roleArn, name, seconds) => {
      const session: Session = {
        accessKeyId: `ASIA${randomId(16)}`,
        secretAccessKey: randomBytes(30).toString('base64'),
        sessionToken: randomBytes(180).toString('base64'),
        expiresAt: new Date(Date.now() + seconds * 1_000),
        roleArn,
        arn: sessionArn(roleArn, name),
      };
      sessions.set(session.accessKeyId, session);
      return session;
    },
    bind: (accessKeyId, roleArn) => {
      const never = new Date(8.64e15);
      const arn = sessionArn(roleArn, 'local');
      sessions.set(accessKeyId, {
        accessKeyId,
        secretAccessKey: '',
        sessionToken: '',
        expiresAt: never,
        roleArn,
        arn,
      });
    },
    expireAll: () => {
      for (const session of sessions.values())
        if (session.secretAccessKey !== '') session.expiresAt = new Date(0);
    },
    isExpired: (accessKeyId) => {
      const session = sessions.get(accessKeyId);
      return session !== undefined && session.expiresAt.getTime() <= Date.now();
    },
    identify: (accessKeyId) => identityOf(sessions.get(accessKeyId)),
  };
}

function identityOf(session: Session | undefined): Identity {
  if (!session) {
    const arn = `arn:aws:iam::${ACCOUNT_ID}:user/local`;
    return { account: ACCOUNT_ID, principalArn: arn, arn, userId: 'AIDALOCAL', isRoleSession: false };
  }
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

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function randomId(length: number): string {
  return Array.from(randomBytes(length), (byte) => LETTERS.charAt(byte % LETTERS.length)).join('');
}
