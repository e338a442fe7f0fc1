import { createHash } from 'node:crypto';

const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/** The scripts in the page itself. Vue's and VitePress' own are the same on every page. */
const inlineScripts = (html: string): string[] =>
  Array.from(html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g), ([, script = '']) => script);

/** Lets a page load nothing from anywhere else, and run no script that was not built with it. */
export function withPolicy(html: string): string {
  const scripts = inlineScripts(html).map(hashOf);
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(' ')}`.trim(),
    // The highlighter's colours are attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');
  return html.replace(
    '<meta charset="utf-8">',
    `<meta charset="utf-8">\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}
