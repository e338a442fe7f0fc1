import type { Finding } from './probe.ts';

const timeoutMs = 10_000;

export type UrlCheck = {
  /** What the address is, if nothing is wrong. */
  is: string;
  /** The status that is expected: 200 if it is absent. */
  status?: number;
  /** What is wrong with an answer of this status, or nothing. */
  fault: (response: Response) => Promise<string | undefined> | string | undefined;
  fix: string;
};

/** Checks what an address answers. It follows no redirect. */
export async function checkUrl(
  subject: string,
  { is, status = 200, fault, fix }: UrlCheck,
): Promise<Finding> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(subject, { signal, redirect: 'manual' });
    const found =
      response.status === status ? await fault(response) : `answers ${response.status}, not ${status}`;
    if (found === undefined) return { subject, ok: true, detail: is };
    return { subject, ok: false, detail: found, fix };
  } catch (error) {
    const detail = `does not answer: ${error instanceof Error ? error.message : ''}`;
    return { subject, ok: false, detail, fix };
  }
}

/** Browsers ignore this header without TLS, so the local server does not send it. */
const onlyWithTls = 'Strict-Transport-Security';

/** What is wrong with a page, or nothing. */
export function faultOfPage(
  response: Response,
  headers: Readonly<Record<string, string>>,
  stage: string,
): string | undefined {
  const type = response.headers.get('content-type') ?? 'none';
  if (!type.startsWith('text/html')) return `has the content type ${type}, not text/html`;
  const expected = Object.entries(headers).filter(([name]) => stage !== 'local' || name !== onlyWithTls);
  const other = expected.filter(([name, value]) => !isSame(response.headers.get(name), value));
  if (other.length === 0) return undefined;
  return `does not send this version's ${other.map(([name]) => name).join(', ')}`;
}

/** CloudFront writes the parameters of some headers without spaces. */
const isSame = (sent: string | null, expected: string): boolean =>
  sent?.replaceAll(/\s/g, '').toLowerCase() === expected.replaceAll(/\s/g, '').toLowerCase();

/** @returns undefined if the answer is not JSON */
export async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}
