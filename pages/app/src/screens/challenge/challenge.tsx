import type { Challenge } from '#device';
import { LinkButton } from '#ui/buttons.tsx';
import { Icon } from '#ui/icon.tsx';
import { Hero, Title } from '#ui/states.tsx';
import { BrandMark } from '#ui/brand-mark.tsx';
import { Countdown } from '../../components/countdown.tsx';
import { DetailsView } from '../../components/details-view.tsx';
import { ForeignText } from '#ui/foreign-text.tsx';
import { OriginText } from '../../components/origin-text.tsx';
import { BackLink, WorkingScreen } from '../../components/page.tsx';
import { WithName } from '../../components/with-name.tsx';
import { agoText } from '../../i18n/format.ts';
import type { Texts } from '../../i18n/en.ts';
import { hashOf } from '../../routes.ts';
import { brandOf, challengeOf, type OpenChallenge } from '../../state/state.ts';
import type { RequestOrigin } from '../../text/request-origin.ts';
import { usualInsteadOf } from '../../text/usual-origin.ts';
import type { View } from '../../view.ts';
import { Welcome } from '../welcome.tsx';
import { AnswerForm } from './answer-form.tsx';
import { Purpose } from './purpose.tsx';
import { Result } from './result.tsx';

/** One request: open, ended, or not there. */
export function ChallengeScreen({ view, challengeId }: { view: View; challengeId: string }) {
  const { state, texts } = view;
  const open = challengeOf(state, challengeId);
  if (open) return <OpenRequest open={open} view={view} />;
  const ended = state.ended[challengeId];
  if (ended) return <Result ended={ended} view={view} />;
  if (state.accounts.length === 0 && state.lost.length === 0) return <Welcome view={view} />;
  const contacts = state.accounts.map(({ deviceId }) => state.contacts[deviceId]?.state ?? 'unknown');
  const isSearching = contacts.includes('unknown') && state.online;
  if (isSearching) return <WorkingScreen>{texts.challenge.searching}</WorkingScreen>;
  // The request may wait for a device that is gone here: the notices above say so.
  if (state.lost.length > 0 || contacts.includes('removed'))
    return <Title isHidden>{texts.challenge.title}</Title>;
  const isKnown = contacts.every((contact) => contact === 'reached');
  const { goneTitle, goneText, unknownTitle, unknownText } = texts.challenge;
  return (
    <Hero icon={isKnown ? 'clock' : 'offline'} title={isKnown ? goneTitle : unknownTitle}>
      <p>{isKnown ? goneText : unknownText}</p>
      <LinkButton kind="primary" href={hashOf({ screen: 'home' })}>
        {texts.result.home}
      </LinkButton>
    </Hero>
  );
}

function OpenRequest({ open, view }: { open: OpenChallenge; view: View }) {
  const { state, texts } = view;
  const { challenge } = open;
  return (
    <article class="stack">
      <div class="topline">
        <BackLink to={{ screen: 'home' }}>{texts.back}</BackLink>
        <Countdown deadline={open.deadline} now={state.now} texts={texts} />
      </div>
      <Title>{texts.challenge.title}</Title>
      <Asker open={open} view={view} />
      <Purpose open={open} texts={texts} />
      <section class="message" aria-label={texts.challenge.message}>
        <p>
          <ForeignText text={challenge.message} />
        </p>
      </section>
      {challenge.details !== undefined && (
        <DetailsView
          source={challenge.details}
          texts={texts}
          labels={brandOf(state, open.deviceId)?.detailLabels}
          language={view.language}
        />
      )}
      <AnswerForm open={open} view={view} />
    </article>
  );
}

/** Who asks and from where, as the device signs it; and the label of the user's account, which is not signed. */
function Asker({ open, view }: { open: OpenChallenge; view: View }) {
  const { challenge } = view.texts;
  const { requester, requestedFrom, group } = open.context;
  return (
    <dl class="asker">
      <div class="row">
        <dt>{challenge.from}</dt>
        <dd>
          {requester ? <ForeignText text={requester.tenant} /> : challenge.unknownRequester}
          {requester?.client && requester.client !== requester.tenant && (
            <span class="muted">
              {' '}
              <WithName text={challenge.via} name={requester.client} />
            </span>
          )}
          {requester && <BrandMark brand={brandOf(view.state, open.deviceId)} tenant={requester.tenant} />}
        </dd>
      </div>
      {requestedFrom && (
        <div class="row">
          <dt>{challenge.requestedFrom}</dt>
          <dd>
            <OriginText origin={requestedFrom} />
            <Age createdAt={open.challenge.createdAt} view={view} />
            <Unusual origin={requestedFrom} open={open} view={view} />
          </dd>
        </div>
      )}
      {group && (
        <div class="row">
          <dt>{challenge.group}</dt>
          <dd>
            {challenge.groupText(group.required, group.of)}
            <Votes votes={open.challenge.votes} of={group.of} texts={view.texts} />
          </dd>
        </div>
      )}
      {open.challenge.account !== undefined && (
        <div class="row">
          <dt>{challenge.account}</dt>
          <dd>
            <ForeignText text={open.challenge.account} />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** What the other members have answered so far, where the tenant lets them see it. It is no part of what is signed. */
function Votes({ votes, of, texts }: { votes: Challenge['votes']; of: number; texts: Texts }) {
  if (!votes) return null;
  return (
    <div class="muted small">
      {texts.challenge.votes(votes.confirmed, of)}
      {votes.confirmedBy.length > 0 && (
        <ul class="voters">
          {votes.confirmedBy.map((label, index) => (
            <li key={`${label} ${index}`}>
              <ForeignText text={label} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A hint for a user who did not start this: nothing that was confirmed on this device came from there. */
function Unusual({ origin, open, view }: { origin: RequestOrigin; open: OpenChallenge; view: View }) {
  const usual = usualInsteadOf(origin, open.deviceId, view.state.history);
  if (!usual) return null;
  const { unusual, usually } = view.texts.challenge;
  return (
    <span class="unusual">
      <Icon name="alert" />
      <span>
        {unusual} {usually} <OriginText origin={usual} />
      </span>
    </span>
  );
}

/** How long ago the service was asked, by its own clock. */
function Age({ createdAt, view: { state, language } }: { createdAt: string; view: View }) {
  const age = state.now + state.clockOffsetMs - Date.parse(createdAt);
  if (Number.isNaN(age)) return null;
  return (
    <>
      {' · '}
      <time dateTime={createdAt}>{agoText(language, age)}</time>
    </>
  );
}
