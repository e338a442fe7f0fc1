import { html } from 'hono/html';
import type { Fields } from './body.ts';

/** A browser sends a form by itself only before the page's script has taken it over. */
export const isEarlyForm = ({ headers }: Request): boolean => headers.get('sec-fetch-mode') === 'navigate';

/**
 * What a user sees whose form was sent before the page was ready to ask the phone. Nothing was done, and what the form said is in the
 * address that leads back.
 */
export async function earlyFormPage(fields: Fields): Promise<Response> {
  const kept = Object.entries(fields).filter(([name]) => name !== 'omi-confirmation');
  const page = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>Not confirmed yet: Demo bank</title>
        <link rel="icon" type="image/svg+xml" href="/icon.svg" />
        <link rel="stylesheet" href="/assets/page.css" />
      </head>
      <body>
        <main class="wide stack">
          <h1>Nothing was done yet</h1>
          <p>
            The page was still loading, so the bank could not ask your phone. Go back, and send the form once
            more. What you entered is still there.
          </p>
          <form action="/" method="get">
            ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value ?? ''}" />`)}
            <button class="button primary">Back to the form</button>
          </form>
        </main>
      </body>
    </html>`;
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(String(page), { status: 403, headers });
}
