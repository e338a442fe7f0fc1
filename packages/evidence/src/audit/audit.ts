import { digestOf } from '../bytes.ts';
import { EvidenceError } from '../evidence-error.ts';
import { isObject } from '../jws.ts';
import { prove, type Proof } from '../prove.ts';
import type { Check, Evident, OmiKeys, Trust } from '../types.ts';
import { AuditError, type AuditFault, faultOf, faultTexts } from './audit-fault.ts';
import { checkEvents, clocksMs, type ExportedEvent } from './exported-events.ts';
import { type KeptRecord, recordOf } from './kept-record.ts';
import { type Statement, statementOf, stepTexts } from './statement.ts';

export type AuditFiles = {
  /** The final confirmation that the website kept, a callback's body, or an exported event with evidence. */
  confirmation: unknown;
  message: string;
  /** The text of the authorization details, if there were any. */
  details?: string | undefined;
  /** If the confirmation has none: otherwise the proof is for its `challengeId`. */
  nonce?: string | undefined;
  /** `omi-keys`. */
  keys: OmiKeys;
  /** Those of the service, also former ones. If absent, answer and receipt must name the same. */
  baseUrls?: readonly string[] | undefined;
  testUsers?: boolean | undefined;
  /** Thumbprints of the user's keys. */
  knownKeys?: readonly string[] | undefined;
  /** Exported events, at least those of the day of the answer. */
  events?: AsyncIterable<ExportedEvent> | Iterable<ExportedEvent> | undefined;
};

export type AuditStep = { check: Check | 'record' | 'events'; text: string };

export type Audit =
  | { proved: true; steps: AuditStep[]; statement: Statement }
  | { proved: false; steps: AuditStep[]; failure: { code: AuditFault; text: string } };

/**
 * Proves from files alone who confirmed what, when and on which device; or says which check failed. Nobody is asked.
 *
 * @returns what was proved, step by step
 */
export async function audit(files: AuditFiles): Promise<Audit> {
  const steps: AuditStep[] = [];
  const pass = (check: AuditStep['check'], text: string): void => void steps.push({ check, text });
  try {
    const record = recordOf(files.confirmation);
    if (!record) throw new AuditError('record');
    const proof = await prove(record, {
      ...trustOf([record], files),
      knownKeys: files.knownKeys,
      claims: await hashesOf(record, files),
      passed: (check) => pass(check, stepTexts[check]),
    });
    checkRecord(record, proof);
    pass('record', stepTexts.record);
    if (files.events) {
      const { count, enrolment } = await checkEvents(files.events, proof, record);
      pass('events', stepTexts.events(count, enrolment));
    }
    return { proved: true, steps, statement: statementOf(proof, files) };
  } catch (error) {
    const code = faultOf(error);
    return { proved: false, steps, failure: { code, text: faultTexts[code] } };
  }
}

/** Without base URLs from the auditor, the one in the files is taken. */
export function trustOf(
  records: readonly Evident[],
  { keys, testUsers, baseUrls }: Pick<AuditFiles, 'keys' | 'testUsers' | 'baseUrls'>,
): Trust {
  const [baseUrl = '', ...formerBaseUrls] = baseUrls ?? [...new Set(records.flatMap(urlsIn))];
  if (!baseUrls && formerBaseUrls.length > 0) throw new AuditError('base-url');
  return { keys, testUsers, baseUrl, formerBaseUrls };
}

/** Not verified yet: they are compared with what is verified. */
function urlsIn({ evidence = '', receipt = '' }: Evident): string[] {
  const urls = [
    [evidence, 'aud'],
    [receipt, 'iss'],
  ].map(([jws = '', claim = '']) => claimIn(jws, claim));
  return [...new Set(urls.filter((url) => typeof url === 'string'))];
}

function claimIn(jws: string, claim: string): unknown {
  try {
    const text = atob((jws.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    const claims: unknown = JSON.parse(text);
    return isObject(claims) ? claims[claim] : undefined;
  } catch {
    return undefined;
  }
}

async function hashesOf(record: KeptRecord, { message, details, nonce = record.nonce }: AuditFiles) {
  const { kept, tenantId } = record;
  const challengeId = nonce === undefined ? kept['challengeId'] : await digestOf(`${tenantId}\n${nonce}`);
  return {
    challengeId: String(challengeId),
    messageHash: await digestOf(message),
    detailsHash: details === undefined ? undefined : await detailsHashOf(details, kept['detailsHash']),
  };
}

/** The text as it was sent by CIBA, or the list as `JSON.stringify` writes it. */
async function detailsHashOf(details: string, kept: unknown): Promise<string> {
  const asSent = await digestOf(details.trim());
  if (asSent === kept) return asSent;
  try {
    return await digestOf(JSON.stringify(JSON.parse(details)));
  } catch {
    throw new EvidenceError('detailsHash');
  }
}

const hashes = ['challengeId', 'messageHash', 'detailsHash', 'contextHash'] as const;

/** What was kept beside the evidence must not contradict it. */
function checkRecord({ kept }: KeptRecord, { claims }: Proof): void {
  for (const name of hashes)
    if (kept[name] !== undefined && kept[name] !== claims[name]) throw new EvidenceError(name);
  const { decidedAt, reason } = kept;
  const differs = (time: unknown): boolean =>
    !(Math.abs(Date.parse(String(time)) - claims.iat * 1000) <= clocksMs);
  if (decidedAt !== undefined && differs(decidedAt)) throw new AuditError('decidedAt');
  const signed = claims.decision === 'deny' ? (claims['reason'] ?? 'user_declined') : undefined;
  if (reason !== signed) throw new AuditError('reason');
}
