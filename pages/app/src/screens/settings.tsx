import { Button, LinkButton } from '#ui/buttons.tsx';
import { Title } from '#ui/states.tsx';
import { BrandMark } from '#ui/brand-mark.tsx';
import { accountText } from '../components/account-name.tsx';
import { ForeignText } from '#ui/foreign-text.tsx';
import { dateText, momentText } from '../i18n/format.ts';
import { isLanguage, languageNames, languages } from '../i18n/texts.ts';
import type { Texts } from '../i18n/en.ts';
import type { Account, HistoryEntry, PushHealth } from '../platform/index.ts';
import { hashOf } from '../routes.ts';
import { brandOf, pushHealthOf } from '../state/state.ts';
import type { View } from '../view.ts';

export function Settings({ view }: { view: View }) {
  const { texts } = view;
  return (
    <>
      <Title>{texts.settings.title}</Title>
      <Accounts view={view} />
      <Notifications view={view} />
      {view.state.install === 'prompt' && <InstallApp view={view} />}
      <LanguageChoice view={view} />
      <Legal view={view} />
    </>
  );
}

const Accounts = ({ view }: { view: View }) => (
  <section class="block" aria-labelledby="accounts">
    <h2 id="accounts">{view.texts.settings.accounts}</h2>
    {view.state.accounts.length === 0 && <p class="muted">{view.texts.settings.noAccounts}</p>}
    <ul class="stack">
      {view.state.accounts.map((account) => (
        <li key={account.deviceId}>
          <AccountCard account={account} view={view} />
        </li>
      ))}
    </ul>
    <LinkButton href={hashOf({ screen: 'enrol' })}>{view.texts.settings.add}</LinkButton>
  </section>
);

function AccountCard({ account, view: { state, texts, language } }: { account: Account; view: View }) {
  const { settings } = texts;
  const { deviceId, name, passkey, tenantName, label, enrolledAt } = account;
  const brand = brandOf(state, deviceId);
  const lastUsed = state.history?.find((entry) => entry.deviceId === deviceId && isAnswer(entry))?.at;
  return (
    <article class="card">
      <h3>
        <ForeignText text={tenantName} />
      </h3>
      <BrandMark brand={brand} tenant={tenantName} />
      <dl>
        {label !== undefined && (
          <Row name={texts.challenge.account}>
            <ForeignText text={label} />
          </Row>
        )}
        <Row name={settings.device}>
          <ForeignText text={name} />
        </Row>
        <Row name={settings.since}>{dateText(language, enrolledAt)}</Row>
        {lastUsed !== undefined && <Row name={settings.lastUsed}>{momentText(language, lastUsed)}</Row>}
        <Row name={settings.passkey}>{passkey ? settings.passkeyOn : settings.passkeyOff}</Row>
      </dl>
      {brand?.supportUrl !== undefined && (
        <LinkButton kind="quiet" href={brand.supportUrl}>
          {settings.support}: {new URL(brand.supportUrl).host}
        </LinkButton>
      )}
      <LinkButton
        kind="quiet"
        href={hashOf({ screen: 'rename', deviceId })}
        label={settings.renameLabel(accountText(account))}
      >
        {settings.rename}
      </LinkButton>
      <LinkButton
        kind="quiet"
        href={hashOf({ screen: 'remove', deviceId })}
        label={settings.removeLabel(accountText(account))}
      >
        {settings.remove}
      </LinkButton>
    </article>
  );
}

/** What ended without the user is no use of the device. */
const isAnswer = ({ outcome }: HistoryEntry): boolean => outcome !== 'expired' && outcome !== 'cancelled';

const Row = ({ name, children }: { name: string; children: preact.ComponentChildren }) => (
  <div class="row">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Why notifications are off, as a key of the texts. */
const stateOf = (push: PushHealth): keyof Texts['settings']['push'] =>
  push.state === 'off' ? push.permission : push.state;

function Notifications({ view }: { view: View }) {
  const { state, texts, send } = view;
  const push = pushHealthOf(state);
  if (!push) return null;
  const pushState = stateOf(push);
  const canEnable = pushState === 'prompt' || pushState === 'unreachable' || pushState === 'revoked';
  const isBlocked = pushState === 'denied' || pushState === 'revoked';
  return (
    <section class="block" aria-labelledby="notifications">
      <h2 id="notifications">{texts.settings.notifications}</h2>
      <p role="status">{texts.settings.push[pushState]}</p>
      {isBlocked && <HowToMend texts={texts} />}
      {canEnable && state.accounts.length > 0 && (
        <Button isBusy={state.asksForPush} onClick={() => send({ type: 'push-chosen' })}>
          {texts.settings.enable}
        </Button>
      )}
    </section>
  );
}

const HowToMend = ({ texts: { settings } }: { texts: Texts }) => (
  <>
    <h3>{settings.mendTitle}</h3>
    <ol class="steps">
      {settings.mend.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  </>
);

const InstallApp = ({ view: { texts, send } }: { view: View }) => (
  <section class="block" aria-labelledby="install">
    <h2 id="install">{texts.settings.installTitle}</h2>
    <p>{texts.settings.installText}</p>
    <Button onClick={() => send({ type: 'install-chosen' })}>{texts.settings.install}</Button>
  </section>
);

/** Who is responsible for the app, where the stage says so. */
function Legal({ view: { state, texts } }: { view: View }) {
  const { imprintUrl, privacyUrl } = state.stage;
  if (imprintUrl === undefined && privacyUrl === undefined) return null;
  return (
    <div class="actions">
      {imprintUrl !== undefined && (
        <LinkButton kind="quiet" href={imprintUrl}>
          {texts.settings.imprint}
        </LinkButton>
      )}
      {privacyUrl !== undefined && (
        <LinkButton kind="quiet" href={privacyUrl}>
          {texts.settings.privacy}
        </LinkButton>
      )}
    </div>
  );
}

const LanguageChoice = ({
  view: {
    state: { stage },
    texts,
    services,
  },
}: {
  view: View;
}) => (
  <section class="block" aria-labelledby="language-title">
    <h2 id="language-title">
      <label for="language">{texts.settings.language}</label>
    </h2>
    <select
      id="language"
      value={services.chosenLanguage() ?? ''}
      onChange={({ currentTarget: { value } }) =>
        services.chooseLanguage(isLanguage(value) ? value : undefined)
      }
    >
      <option value="">{texts.settings.languageAuto}</option>
      {(stage.languages ?? languages).map((language) => (
        <option key={language} value={language} lang={language}>
          {languageNames[language]}
        </option>
      ))}
    </select>
  </section>
);
