import * as v from 'valibot';
import type { KeyUse } from '../../../core/keys/key-use.ts';
import { checkUrl, jsonOf } from '../check-url.ts';
import { type Finding, type Probe, uncheckable } from '../probe.ts';

const fix =
  'Deploy the stage again (npx cdk deploy --all), and see the logs of the Lambdas publish-keys and omi-keys. If the tenants table was replaced, restore the items of ' +
  'its partition "keys", see "Rotate the keys that sign" in docs/operations/rotate.md.';

/** The record of all keys is readable, and has those that sign now. */
export const publishedKeysProbe: Probe = {
  name: 'keys',
  check: async ({ baseUrl, signingKids }) => {
    const subject = `${baseUrl}/.well-known/omi-keys`;
    try {
      const kids = await signingKids();
      return [
        await checkUrl(subject, {
          is: 'has the keys that sign',
          fault: async (response) => faultOf(await jsonOf(response), kids),
          fix,
        }),
      ];
    } catch (error) {
      return [uncheckable(subject, error) satisfies Finding];
    }
  },
};

const record = v.object({
  keys: v.array(v.object({ for: v.string(), kid: v.string(), until: v.optional(v.string()) })),
});

function faultOf(document: unknown, kids: Record<KeyUse, string>): string | undefined {
  const found = v.safeParse(record, document);
  if (!found.success) return 'is not a record of keys';
  const { keys } = found.output;
  const missing = Object.entries(kids).filter(
    ([use, kid]) => !keys.some((key) => key.for === use && key.kid === kid && key.until === undefined),
  );
  if (missing.length === 0) return undefined;
  return `lacks the current key for each ${missing.map(([use]) => use).join(' and ')}: nobody can verify what it signs`;
}
