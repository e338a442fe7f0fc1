import { describe, expect, test } from '@jest/globals';
import { enrolDevice, openChallenge } from '../../../contract/scenario.ts';
import { useSharedStack } from '../../../support/use-stack.ts';
import { afterIntervalMs, signedIn } from './support/story.ts';

const stack = useSharedStack();

/** Everything that a story of every route shows to the page, and the console. */
async function wholeStory() {
  const { website, visitor, phone } = await signedIn(stack);
  const seen: string[] = [];
  const keep = <Answer extends { status: number; headers: Headers; text: string }>(
    answer: Answer,
  ): Answer => {
    seen.push(JSON.stringify([...answer.headers]), answer.text);
    return answer;
  };
  keep(await visitor.call('GET', '/omi/devices'));
  const withdrawn = String(keep(await visitor.ask()).body['id']);
  keep(await visitor.withdraw(withdrawn));
  keep(await visitor.look(withdrawn));
  const id = String(keep(await visitor.ask()).body['id']);
  keep(await visitor.look(id));
  keep(await visitor.ask());
  await phone.confirm(await openChallenge(phone));
  keep(await visitor.withdraw(id));
  website.ahead += afterIntervalMs;
  keep(await visitor.look(id));
  keep(await website.visitor('mallory').look(id));
  const { confirmation } = await visitor.act(id);
  const enrolment = keep(await visitor.call('POST', '/omi/enrolments'));
  keep(await visitor.call('GET', `/omi/enrolments/${String(enrolment.body['id'])}`));
  return { website, visitor, confirmation, seen: seen.join('\n') };
}

describe('a secret of the server', () => {
  test('is in no answer and no header', async () => {
    const { website, confirmation, seen } = await wholeStory();
    const { nonce, challengeId, messageHash, evidence, deviceKey, tenantId } = confirmation;
    const nonces = website.nonces();
    expect(nonces).toContain(nonce);
    for (const secret of [...nonces, challengeId, messageHash, evidence, deviceKey.x, deviceKey.y, tenantId])
      expect(seen).not.toContain(secret);
    for (const name of ['nonce', 'challengeId', 'evidence', 'deviceKey', 'keyThumbprint', 'enrolmentId'])
      expect(seen).not.toContain(`"${name}"`);
  });

  test('is no key of the store, and the session is not in the store at all', async () => {
    const { website, visitor } = await wholeStory();
    const keys = website.stored.map(([key]) => key).join('\n');
    for (const secret of website.nonces()) expect(keys).not.toContain(secret);
    expect(JSON.stringify(website.stored)).not.toContain(visitor.session.id);
  });

  test('is in no report of a fault', async () => {
    let isBroken = false;
    const told: unknown[] = [];
    const { website, visitor, phone } = await signedIn(stack, {
      onError: (error) => told.push(error),
      through: async (fetch, input, init) => {
        const url = input instanceof Request ? input.url : input.toString();
        if (isBroken && url.includes('nonce=')) throw new TypeError(`cannot fetch ${url}`);
        return await fetch(input, init);
      },
    });
    const id = await visitor.asked();
    isBroken = true;
    website.ahead += afterIntervalMs;
    const { text } = await visitor.look(id);
    const reports = told.map(
      (error) => `${String(error)} ${JSON.stringify(error)} ${(error as Error).stack ?? ''}`,
    );
    expect(reports).toHaveLength(1);
    for (const nonce of website.nonces()) expect(`${reports.join('')}${text}`).not.toContain(nonce);
    expect(reports.join('')).not.toContain(phone.identity.userId);
  });

  test('is new for each id, with 128 random bits', async () => {
    const website = (await signedIn(stack)).website;
    const ids = new Set<string>();
    for (let time = 0; time < 3; time += 1) {
      const phone = await enrolDevice(stack.website);
      ids.add(await website.visitor(phone.identity.userId).asked());
    }
    expect(ids.size).toBe(3);
    for (const id of ids) expect(Buffer.from(id, 'base64url')).toHaveLength(16);
    expect(website.nonces().filter((nonce) => ids.has(nonce))).toEqual([]);
  });
});
