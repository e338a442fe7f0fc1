import { Icon } from '#ui/icon.tsx';
import { Hero, Title } from '#ui/states.tsx';
import { ForeignText } from '#ui/foreign-text.tsx';
import { OriginText } from '../components/origin-text.tsx';
import { WorkingScreen } from '../components/page.tsx';
import { momentText } from '../i18n/format.ts';
import type { HistoryEntry } from '../platform/index.ts';
import type { View } from '../view.ts';
import { PurposeText } from './challenge/purpose.tsx';
import { markHidden } from '../../../../core/kernel/hidden-characters.ts';
import { looks } from './challenge/result.tsx';

/** What was answered on this device. */
export function HistoryScreen({ view }: { view: View }) {
  const { state, texts } = view;
  if (!state.history) return <WorkingScreen>{texts.loading}</WorkingScreen>;
  if (state.history.length === 0)
    return (
      <Hero icon="history" title={texts.history.emptyTitle}>
        <p>{texts.history.emptyText}</p>
      </Hero>
    );
  return (
    <>
      <Title>{texts.history.title}</Title>
      <p class="muted">{texts.history.text}</p>
      <ul class="lines">
        {state.history.map((entry) => (
          <li key={`${entry.deviceId} ${entry.challengeId}`}>
            <Entry entry={entry} view={view} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Entry({ entry, view: { texts, language } }: { entry: HistoryEntry; view: View }) {
  const { requester, purpose, device, requestedFrom } = entry;
  const [icon, tone] = looks[entry.outcome];
  return (
    <article class="entry">
      <span class={`disc ${tone}`}>
        <Icon name={icon} />
      </span>
      <div>
        <p class="entry-message" dir="auto">
          {markHidden(entry.message)}
        </p>
        <p class="muted small">
          <strong>{texts.history.outcomes[entry.outcome]}</strong>
          {entry.userVerified && `, ${texts.history.verified}`}
          {' · '}
          {requester && (
            <>
              <ForeignText text={requester.tenant} />
              {' · '}
            </>
          )}
          <time dateTime={new Date(entry.at).toISOString()}>{momentText(language, entry.at)}</time>
        </p>
        {purpose !== undefined && (
          <p class="muted small">
            <PurposeText purpose={purpose} texts={texts} />
            {device && (
              <>
                {' '}
                <ForeignText text={device.name} />
              </>
            )}
          </p>
        )}
        {requestedFrom && (
          <p class="muted small">
            <OriginText origin={requestedFrom} />
          </p>
        )}
      </div>
    </article>
  );
}
