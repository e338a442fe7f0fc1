import { isObject } from '../jws.ts';
import type { Evidence, Evident } from '../types.ts';
import { type AskedGroup, verifyGroup } from '../verify-group.ts';
import { type AuditFiles, trustOf } from './audit.ts';
import { AuditError, type AuditFault, faultOf, faultTexts } from './audit-fault.ts';
import { recordOf } from './kept-record.ts';
import { timeOf } from './statement.ts';

export type AuditGroupFiles = Pick<
  AuditFiles,
  'message' | 'details' | 'nonce' | 'keys' | 'baseUrls' | 'testUsers' | 'knownKeys'
> & {
  /** The final group that the website kept, or a callback's body. */
  group: unknown;
  /** The user ids of all members. If absent, those of the votes: the vote of an erased user is missing there. */
  members?: readonly string[] | undefined;
};

/** What is proved of a group. */
export type GroupStatement = {
  tenantId: string;
  message: string;
  details?: string;
  /** How many of the members had to confirm. Both are part of what each of them signed. */
  required: number;
  members: readonly string[];
  confirmedBy: { userId: string; deviceId: string; answeredAt: string; userVerified: boolean }[];
};

export type GroupAudit =
  | { proved: true; statement: GroupStatement }
  | { proved: false; failure: { code: AuditFault; text: string } };

/** Proves from files alone that as many of a group's members as had to have confirmed, and who; or says which check failed. */
export async function auditGroup(files: AuditGroupFiles): Promise<GroupAudit> {
  try {
    const group = groupOf(files.group);
    if (!group) throw new AuditError('record');
    const { message, details, nonce = group.nonce, members = group.members, knownKeys } = files;
    const [tenantId = ''] = group.votes.map((vote) => vote.tenantId);
    const asked: AskedGroup = {
      ...{ nonce: nonce ?? '', message, members, required: group.required, tenantId, knownKeys },
      ...(details !== undefined && { details: JSON.parse(details) as object[] }),
      // Not compared: the files do not say it.
      requestedFrom: undefined,
    };
    const evidence = await verifyGroup(group, { ...asked, ...trustOf(group.votes, files) });
    return {
      proved: true,
      statement: {
        ...{ tenantId, message, required: group.required, members },
        ...(details !== undefined && { details }),
        confirmedBy: [...evidence].map(([userId, claims]) => voteOf(userId, claims)),
      },
    };
  } catch (error) {
    const code = error instanceof SyntaxError ? 'detailsHash' : faultOf(error);
    return { proved: false, failure: { code, text: textOf(code) } };
  }
}

const voteOf = (userId: string, { iss, iat, userVerification }: Evidence) => ({
  ...{ userId, deviceId: iss, answeredAt: timeOf(iat) },
  userVerified: userVerification !== undefined,
});

const textOf = (code: AuditFault): string => {
  if (code === 'record') return 'the file is not a final group, or a callback with one';
  if (code === 'status') return 'the group is not approved';
  if (code === 'challengeId')
    return 'the votes are for another question: tenant, nonce, members or the number of those who must confirm differ';
  return faultTexts[code];
};

type KeptGroup = {
  nonce?: string | undefined;
  status: string;
  required: number;
  votes: Evident[];
  members: string[];
};

function groupOf(value: unknown): KeptGroup | undefined {
  const kept = isObject(value) && isObject(value['data']) ? value['data'] : value;
  if (!isObject(kept) || !Array.isArray(kept['votes'])) return undefined;
  const { nonce, status, required } = kept;
  const votes: unknown[] = kept['votes'];
  if (typeof status !== 'string' || typeof required !== 'number') return undefined;
  if (nonce !== undefined && typeof nonce !== 'string') return undefined;
  const members = votes.map((vote) => (isObject(vote) ? vote['userId'] : undefined));
  if (!members.every((member) => typeof member === 'string')) return undefined;
  // Only those who confirmed have evidence.
  const confirmed = votes.filter((vote) => isObject(vote) && vote['status'] === 'confirmed').map(recordOf);
  if (!confirmed.every((vote) => vote !== undefined)) return undefined;
  return { nonce, status, required, votes: confirmed, members };
}
