/** Links of QR codes: which the device refuses, and what it says before it enrols. */
import { must, mustEqual } from '../failure.ts';
import type { Check, Scene } from '../scene.ts';
import { account, linkTo, tenant } from '../service/fake-service.ts';

/** A link that must lead nowhere. */
async function refuse(scene: Scene, link: string): Promise<void> {
  const arrived = await scene.during(
    async () => await scene.refusal({ do: 'enrol', device: scene.newName(), link }),
  );
  must(arrived.length === 0, `The service was called, with the link ${link}.`);
}

export const linkChecks: readonly Check[] = [
  {
    id: 'link-version',
    says: 'refuses a link of another version',
    run: async (scene) => await refuse(scene, scene.service.link().replace('v=1', 'v=2')),
  },
  {
    id: 'link-once',
    says: 'refuses a link with a parameter that is there twice',
    run: async (scene) => await refuse(scene, `${scene.service.link()}&code=another`),
  },
  {
    id: 'link-address',
    says: 'refuses a base URL that is not in its normal spelling, or that is not safe',
    run: async (scene) => {
      const { baseUrl } = scene.service;
      const { host } = new URL(baseUrl);
      const others = [
        `http://user@${host}`,
        `http://bank.example\\@${host}`,
        `${baseUrl}/a/..`,
        `${baseUrl}?x=1`,
      ];
      for (const other of [...others, 'http://omi.example', 'ftp://omi.example'])
        await refuse(scene, linkTo(other, 'code'));
    },
  },
  {
    id: 'preview',
    says: 'says for whom a code is, without a signature and without using it up',
    run: async (scene) => {
      const link = scene.service.link();
      const arrived = await scene.during(async () => {
        const shown = await scene.result({ do: 'preview', link });
        mustEqual([shown['tenant'], shown['account']], [tenant, account], 'tenant and account');
      });
      must(
        arrived.length > 0 && arrived.every(({ call }) => call === 'preview' || call === 'other'),
        'Only the call of the preview may be made.',
      );
      await scene.enrol({ link });
    },
  },
  {
    id: 'preview-refused',
    says: 'says that a code is wrong',
    run: async (scene) => {
      const link = linkTo(scene.service.baseUrl, 'unknown');
      await scene.refusal({ do: 'preview', link }, 'enrolment-not-found');
    },
  },
];
