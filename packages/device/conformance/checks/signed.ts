/** Shown is signed: a device signs only the hashes of what it shows, which it has computed itself. */
import type { Check } from '../scene.ts';
import { sha256 } from '../service/message.ts';

const details = '[{"type":"payment","amount":"10"}]';
const other = sha256('another text');

export const signedChecks: readonly Check[] = [
  {
    id: 'signed-message',
    says: 'signs no answer if messageHash is not that of the message',
    run: async (scene) => await scene.refusesToSign({ messageHash: other }),
  },
  {
    id: 'signed-context',
    says: 'signs no answer if contextHash is not that of the context',
    run: async (scene) => await scene.refusesToSign({ contextHash: other }),
  },
  {
    id: 'signed-details',
    says: 'signs no answer if detailsHash is not that of the details, or one of both is missing',
    run: async (scene) => {
      scene.needs('details');
      for (const members of [
        { details, detailsHash: other },
        { details, detailsHash: undefined },
        { detailsHash: other },
      ])
        await scene.refusesToSign(members);
    },
  },
  {
    id: 'readable-context',
    says: 'signs no confirmation of a context that it cannot read',
    run: async (scene) => {
      for (const context of ['{', '[]', 'null', '"off"']) await scene.refusesToSign({ context });
    },
  },
];
