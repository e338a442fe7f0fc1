import { LinkButton } from '#ui/buttons.tsx';
import { Hero, Title } from '#ui/states.tsx';
import { ForeignText } from '#ui/foreign-text.tsx';
import { WorkingScreen } from '../components/page.tsx';
import { hashOf } from '../routes.ts';
import type { OpenChallenge } from '../state/state.ts';
import { markHidden } from '../../../../core/kernel/hidden-characters.ts';
import { clockText, remainingUntil } from '../text/remaining-time.ts';
import type { View } from '../view.ts';
import { Welcome } from './welcome.tsx';

/** Open requests, the next to expire first, or what to do when there are none. */
export function Home({ view }: { view: View }) {
  const { state, texts } = view;
  if (state.accounts.length === 0 && state.lost.length === 0) return <Welcome view={view} />;
  if (state.challenges.length === 0) return <NothingOpen view={view} />;
  return (
    <>
      <Title>{texts.home.title}</Title>
      {state.challenges.length > 1 && <p class="muted">{texts.home.waiting(state.challenges.length)}</p>}
      <ul class="stack">
        {state.challenges.map((open) => (
          <li key={open.challenge.challengeId}>
            <RequestCard open={open} view={view} />
          </li>
        ))}
      </ul>
    </>
  );
}

function RequestCard({ open, view }: { open: OpenChallenge; view: View }) {
  const { state, texts } = view;
  const { challengeId, message } = open.challenge;
  const time = clockText(remainingUntil(open.deadline, state.now));
  return (
    <article class="card request">
      <p class="row">
        <strong>
          <Requester open={open} view={view} />
        </strong>
        <span class="time">{texts.home.left(time)}</span>
      </p>
      <p class="card-message" dir="auto">
        {markHidden(message)}
      </p>
      <LinkButton kind="primary" href={hashOf({ screen: 'challenge', challengeId })}>
        {texts.home.review}
      </LinkButton>
    </article>
  );
}

/** The registered name of who asks, if the device signs one. */
const Requester = ({ open: { context }, view: { texts } }: { open: OpenChallenge; view: View }) =>
  context.requester ? (
    <ForeignText text={context.requester.tenant} />
  ) : (
    <>{texts.challenge.unknownRequester}</>
  );

/** The only account may be lost, or removed: the notices above say so, and nothing can arrive. */
function NothingOpen({ view: { state, texts } }: { view: View }) {
  const contacts = state.accounts
    .map(({ deviceId }) => state.contacts[deviceId]?.state ?? 'unknown')
    .filter((contact) => contact !== 'removed');
  if (contacts.length === 0) return <Title isHidden>{texts.home.title}</Title>;
  const { offlineTitle, offlineText, unaskedTitle, unaskedText } = texts.home;
  if (!state.online) return <Unknown title={offlineTitle} text={offlineText} />;
  // Only who has asked for every account knows that there is nothing. A new page also believes for a moment that it is online.
  if (contacts.some((contact) => contact !== 'reached')) {
    if (contacts.includes('unreachable')) return <Unknown title={unaskedTitle} text={unaskedText} />;
    return <WorkingScreen>{texts.loading}</WorkingScreen>;
  }
  return (
    <Hero icon="shield" title={texts.home.emptyTitle}>
      <p>{texts.home.emptyText}</p>
      <p class="live">
        <span class="live-dot" aria-hidden="true" />
        {texts.home.checked}
      </p>
    </Hero>
  );
}

/** The service could not be asked whether something waits. */
const Unknown = ({ title, text }: { title: string; text: string }) => (
  <Hero icon="offline" title={title}>
    <p>{text}</p>
  </Hero>
);
