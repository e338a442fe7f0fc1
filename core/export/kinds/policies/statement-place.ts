import type { PolicyDocument, Statement } from './policy-document.ts';
import type { TenantDocuments } from './tenant-documents.ts';

/** In which of a tenant's policies a statement stands, and what it is called there. */
export type StatementPlace = {
  document: 'trustPolicy' | 'permissionPolicy' | 'bucketPolicy' | 'keyPolicy';
  /** Without it, the first one: what the role may do. */
  sid?: string;
};

/** A statement as it must be, and where. */
export type StatementToChange = { document: StatementPlace['document']; statement: Statement };

/** @returns nothing where the tenant has no such policy, or no such statement in it */
export function statementAt(
  { document, sid }: StatementPlace,
  documents: TenantDocuments,
): StatementToChange | undefined {
  const { keyPolicy, ...others } = documents;
  const policies: Partial<Record<string, unknown>> = { ...others, keyPolicy: keyPolicy?.document };
  const policy = policies[document] as PolicyDocument | undefined;
  const statement = policy?.Statement.find(({ Sid }) => sid === undefined || Sid === sid);
  return statement && { document, statement };
}
