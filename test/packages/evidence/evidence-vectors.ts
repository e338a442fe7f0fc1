/** The published vectors of evidence, as a test of any reader uses them. */
import { readFileSync } from 'node:fs';
import type { AuthorizationDetail, Evident, OmiKeys, Purpose, RequestOrigin } from '#website';

export type EvidenceVector = {
  name: string;
  confirmation: Evident & { nonce: string };
  asked: {
    nonce: string;
    message: string;
    details?: AuthorizationDetail[];
    purpose?: Purpose | null;
    requestedFrom?: RequestOrigin | null;
    subjectDeviceId?: string;
  };
  options?: { formerBaseUrls?: string[]; testUsers?: boolean; knownKeys?: string[] };
  keys?: OmiKeys;
  code?: string;
};

type EvidenceFile = {
  baseUrl: string;
  userId: string;
  keys: OmiKeys;
  vectors: EvidenceVector[];
};

export const evidenceFile = JSON.parse(
  readFileSync('packages/device/vectors/evidence.json', 'utf8'),
) as EvidenceFile;

export function vectorNamed(name: string): EvidenceVector {
  const vector = evidenceFile.vectors.find((one) => one.name === name);
  if (!vector) throw new Error(`There is no vector "${name}"`);
  return vector;
}
