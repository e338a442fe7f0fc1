/** The report for people, for build servers, and for programs. */
import type { Finding, Part, Report } from './suite.ts';

export type Format = 'text' | 'junit' | 'json';
export const formats: readonly Format[] = ['text', 'junit', 'json'];

const titles: Record<Part, string> = {
  misbehaving: 'A service that misbehaves',
  messages: 'All messages that were sent to it',
  running: 'A running service',
};

const words: Record<Finding['outcome'], string> = {
  passed: 'passed ',
  failed: 'FAILED ',
  skipped: 'skipped',
};

const count = (findings: readonly Finding[], outcome: Finding['outcome']): number =>
  findings.filter((finding) => finding.outcome === outcome).length;

export const failed = ({ findings }: Report): boolean => count(findings, 'failed') > 0;

export function write(report: Report, format: Format): string {
  switch (format) {
    case 'text':
      return textOf(report);
    case 'junit':
      return junitOf(report);
    case 'json':
      return `${JSON.stringify({ ...summaryOf(report), ...report }, null, 2)}\n`;
  }
}

const summaryOf = ({ findings }: Report) => ({
  passed: count(findings, 'passed'),
  failed: count(findings, 'failed'),
  skipped: count(findings, 'skipped'),
});

function byPart({ findings }: Report): (readonly [Part, readonly Finding[]])[] {
  const parts = Object.keys(titles) as Part[];
  return parts
    .map((part) => [part, findings.filter((finding) => finding.part === part)] as const)
    .filter(([, some]) => some.length > 0);
}

function textOf(report: Report): string {
  const parts = byPart(report).map(
    ([part, findings]) => `${titles[part]}\n${findings.map(lineOf).join('\n')}`,
  );
  const { passed, failed: bad, skipped } = summaryOf(report);
  const can = report.abilities.join(', ') || 'nothing optional';
  const heading = `${report.device}, which can do: ${can}`;
  return `${[heading, ...parts, `${passed} passed, ${bad} failed, ${skipped} skipped.`].join('\n\n')}\n`;
}

function lineOf({ outcome, id, says, detail }: Finding): string {
  const line = `  ${words[outcome]}  ${id}: ${says}`;
  return detail === undefined ? line : `${line}\n             ${detail}`;
}

/** The form that Jenkins, GitLab and others read. */
function junitOf(report: Report): string {
  const suites = byPart(report).map(([part, findings]) => {
    const { failed: bad, skipped } = summaryOf({ ...report, findings });
    const attributes = `name="${titles[part]}" tests="${findings.length}" failures="${bad}" skipped="${skipped}"`;
    return `  <testsuite ${attributes}>\n${findings.map(caseOf).join('\n')}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${escape(report.device)}">\n${suites.join('\n')}\n</testsuites>\n`;
}

function caseOf({ id, part, says, outcome, detail = '', seconds }: Finding): string {
  const start = `    <testcase classname="${part}" name="${escape(`${id}: ${says}`)}" time="${seconds.toFixed(3)}"`;
  if (outcome === 'passed') return `${start}/>`;
  const element = outcome === 'failed' ? 'failure' : 'skipped';
  return `${start}><${element} message="${escape(detail)}"/></testcase>`;
}

/** Also of characters that XML 1.0 does not have, which a driver may send. */
const escape = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[\t\n\r]/g, ' ');
