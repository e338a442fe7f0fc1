import { createRoutes, memoryStore, Omi } from '#website';
import { jsonOn } from '../../cli/omi.ts';
import { answerBy } from '../../packages/elements/support/real-routes.ts';
import type { Script } from '../../packages/elements/support/page-server.ts';
import type { TestStack } from '../../support/stack.ts';
import { WebsiteClient } from '../../../client/website-client.ts';
import { labelOf } from '../flows.ts';

/** A website whose registered name is `Bike shop`, with one user, who is signed in. */
export type Shop = {
  client: WebsiteClient;
  /** Answers the calls of its page. */
  serve: Script;
  /** Where the app leads back to. */
  returnTo: string;
};

/** @param settings of the shop's tenant, as for `omi tenant create` */
export async function openShopAt(
  origin: string,
  stack: TestStack,
  userId: string,
  ...settings: string[]
): Promise<Shop> {
  const json = jsonOn(stack);
  const { tenantId } = await json<{ tenantId: string }>('tenant', 'create', '--name', 'Velo AG', ...settings);
  const made = await json<{ clientId: string; clientSecret: string }>(
    ...['client', 'create', '--tenant', tenantId, '--name', 'Bike shop', '--scope', 'all'],
    ...['--return-origin', origin],
  );
  const { baseUrl, tokenUrl, appUrl } = stack.file;
  const returnTo = `${origin}/done?order=4711`;
  const routes = createRoutes(new Omi({ baseUrl, tokenUrl, tenantId, ...made }), {
    session: () => ({ id: `session of ${userId}`, userId }),
    message: () => ({ message: 'Pay 99.00 € to the bike shop?', returnTo }),
    accountLabel: () => labelOf(userId),
    store: memoryStore(),
    appLink: appUrl,
  });
  return { client: new WebsiteClient({ ...stack.file, ...made }), serve: answerBy(routes, origin), returnTo };
}
