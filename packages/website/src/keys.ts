import { isKeyDocument, keySource } from '../../evidence/src/key-source.ts';
import type { KeyLookup } from '../../evidence/src/types.ts';
import { exchange } from '../../http/src/exchange.ts';
import { failureOf } from './failure.ts';
import { fail, OmiError } from './omi-error.ts';
import { withRetries } from '../../http/src/retries.ts';

const patienceMs = 10_000;

type Surroundings = { baseUrl: string; fetch: typeof globalThis.fetch; now: () => number };

/** The keys that sign the service's receipts. Calls throw {@link OmiError} if they cannot be loaded. */
export const serviceKeys = ({ baseUrl, fetch, now }: Surroundings): KeyLookup =>
  keySource(
    async () =>
      await withRetries(async () => {
        const answer = await exchange(
          { fetch, fail },
          {
            method: 'GET',
            url: `${baseUrl}/.well-known/omi-keys`,
            headers: { accept: 'application/json' },
            patienceMs: patienceMs,
          },
        );
        if (!answer.ok) throw failureOf(answer);
        if (isKeyDocument(answer.body)) return answer.body;
        const detail = 'The keys are not in the format of the service.';
        throw new OmiError('unexpected-answer', { status: answer.status, detail });
      }),
    now,
  );
