import { createHash } from 'node:crypto';
import { problems } from '../../core/http/problems.ts';
import type { RefusalCode } from '../../core/kernel/refusal.ts';
import meanings from './meanings.json' with { type: 'json' };

/** What a code means, and what to do: mostly the same for each call. Text with `code` in it. */
export type Meanings = Partial<
  Record<RefusalCode, { usual: string; byCall: { call: string; meaning: string }[] }>
>;

const known: Meanings = meanings;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as HTML, with what is between backticks as code. */
const html = (text: string): string =>
  text
    .replaceAll(/[&<>"]/g, (character) => escapes[character] ?? '')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const style =
  'body{max-width:42rem;margin:3rem auto;padding:0 1rem;font:1rem/1.6 system-ui,sans-serif;color-scheme:light dark}' +
  'code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}h1{line-height:1.25}';

/** Nothing but the style runs or loads. */
export const securityPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const document = (title: string, main: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${html(title)}</title><style>${style}</style></head><body><main>${main}</main></body></html>`;

/** The page of a code. */
export function problemPage(code: RefusalCode): string {
  const { status, title } = problems[code];
  const { usual = '', byCall = [] } = known[code] ?? {};
  const calls = byCall.map(({ call, meaning }) => `<li>${html(`\`${call}\`: ${meaning}`)}</li>`);
  return document(
    `${code}: ${title}`,
    [
      `<p>${status} <code>${code}</code></p><h1>${html(title)}</h1>`,
      usual && `<p>${html(usual)}</p>`,
      calls.length > 0 && `<ul>${calls.join('')}</ul>`,
      '<h2>Find the call</h2>',
      `<p>${html('`detail` and `errors` of the answer say what was wrong with this call. Its `traceId` names the call in the log of the service: `npx omi trace <traceId>`.')}</p>`,
      `<p>${html('Programs decide by `code` and `status`.')}</p>`,
    ]
      .filter(Boolean)
      .join(''),
  );
}

/** For an address that no answer ever had. */
export const unknownPage = (): string =>
  document(
    'There is no such problem',
    `<h1>There is no such problem</h1><p>These are the codes of the API:</p><ul>${Object.keys(problems)
      .map((code) => `<li><a href="${code}"><code>${code}</code></a></li>`)
      .join('')}</ul>`,
  );
