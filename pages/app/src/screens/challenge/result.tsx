import { LinkButton } from '#ui/buttons.tsx';
import type { IconName } from '#ui/icon.tsx';
import { Hero, type Tone } from '#ui/states.tsx';
import { readContext } from '#device';
import { WithName } from '../../components/with-name.tsx';
import { hashOf } from '../../routes.ts';
import type { EndedChallenge } from '../../state/state.ts';
import { markHidden } from '../../../../../core/kernel/hidden-characters.ts';
import type { View } from '../../view.ts';

/** How an outcome looks, here and in the history. */
export const looks: Readonly<Record<EndedChallenge['outcome'], readonly [IconName, Tone]>> = {
  confirmed: ['check', 'good'],
  denied: ['cross', 'neutral'],
  not_me: ['alert', 'bad'],
  expired: ['clock', 'neutral'],
  failed: ['alert', 'bad'],
  cancelled: ['info', 'neutral'],
  mismatch: ['alert', 'bad'],
};

/** How a request ended, in words and a picture. */
export function Result({ ended, view }: { ended: EndedChallenge; view: View }) {
  const { state, texts } = view;
  const { title, text } = texts.result[ended.outcome];
  const [icon, tone] = looks[ended.outcome];
  const [next] = state.challenges;
  const wayBack = wayBackOf(ended);
  return (
    <Hero icon={icon} tone={tone} title={title}>
      <p>{text}</p>
      {ended.elsewhere && <p class="muted">{texts.result.elsewhere}</p>}
      <p class="well" dir="auto">
        {markHidden(ended.challenge.message)}
      </p>
      {wayBack && (
        <LinkButton kind="primary" href={wayBack.url}>
          <span>
            <WithName text={texts.result.back} name={wayBack.client} />
          </span>
        </LinkButton>
      )}
      {next && (
        <LinkButton
          kind={wayBack ? 'secondary' : 'primary'}
          href={hashOf({ screen: 'challenge', challengeId: next.challenge.challengeId })}
        >
          {texts.result.next}
        </LinkButton>
      )}
      <LinkButton kind={next || wayBack ? 'secondary' : 'primary'} href={hashOf({ screen: 'home' })}>
        {texts.result.home}
      </LinkButton>
    </Hero>
  );
}

/** To the website, on the phone on which the user began. Who reported a stranger's request began nothing. */
function wayBackOf({ challenge, outcome }: EndedChallenge): { url: string; client: string } | undefined {
  const { client } = readContext(challenge.context).requester ?? {};
  if (challenge.returnTo === undefined || client === undefined || outcome === 'not_me') return undefined;
  return { url: challenge.returnTo, client };
}
