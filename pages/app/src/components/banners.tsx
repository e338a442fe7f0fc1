import { Button, LinkButton } from '#ui/buttons.tsx';
import { Notice } from '#ui/states.tsx';
import { accountText } from './account-name.tsx';
import { roughText } from '../i18n/format.ts';
import type { LostAccount } from '../platform/index.ts';
import { hashOf } from '../routes.ts';
import { isClockOff, isUnreachable, pushHealthOf } from '../state/state.ts';
import type { View } from '../view.ts';

/** What concerns the whole app. The most urgent is first. Changes are announced. */
export function Banners({ view }: { view: View }) {
  const { state, texts } = view;
  const isHome = state.route.screen === 'home';
  return (
    <div class="banners">
      <div role="status">
        {!state.online && (
          <Notice tone="warn" icon="offline">
            {texts.banner.offline}
          </Notice>
        )}
        {state.online && isUnreachable(state) && (
          <Notice tone="warn" icon="offline">
            {texts.banner.unreachable}
          </Notice>
        )}
        {isClockOff(state) && <ClockNotice view={view} />}
        {isHome && state.challenges.length > 0 && (
          <span class="hidden">{texts.home.waiting(state.challenges.length)}</span>
        )}
      </div>
      {state.route.screen !== 'enrol' && <GoneNotices view={view} />}
      {isHome && <PushNotice view={view} />}
      {isHome && state.updateReady && state.challenges.length === 0 && <UpdateNotice view={view} />}
    </div>
  );
}

/** Accounts that this device can no longer answer for. The screen that sets it up again is the one that needs no such notice. */
const GoneNotices = ({ view }: { view: View }) => (
  <>
    {view.state.lost.map((account) => (
      <LostNotice key={account.deviceId} account={account} view={view} />
    ))}
    <RemovedNotices view={view} />
  </>
);

const ClockNotice = ({ view: { state, texts } }: { view: View }) => (
  <Notice tone="warn" icon="clock">
    {texts.banner.clock(roughText(texts, state.clockOffsetMs), state.clockOffsetMs < 0)}
  </Notice>
);

const LostNotice = ({ account, view: { texts, send } }: { account: LostAccount; view: View }) => (
  <Notice tone="bad" icon="key" title={texts.banner.lost(accountText(account))}>
    <p>{texts.banner.lostText}</p>
    <div class="actions">
      <LinkButton kind="primary" href={hashOf({ screen: 'enrol' })}>
        {texts.banner.enrolAgain}
      </LinkButton>
      <Button kind="quiet" onClick={() => send({ type: 'lost-read', deviceId: account.deviceId })}>
        {texts.banner.understood}
      </Button>
    </div>
  </Notice>
);

/** Devices that were removed on the website. */
function RemovedNotices({ view: { state, texts, send } }: { view: View }) {
  const removed = state.accounts.filter(({ deviceId }) => state.contacts[deviceId]?.state === 'removed');
  return (
    <>
      {removed.map(({ deviceId, ...names }) => (
        <Notice key={deviceId} tone="bad" icon="phone" title={texts.banner.removed(accountText(names))}>
          <p>{texts.banner.removedText}</p>
          <div class="actions">
            <LinkButton kind="primary" href={hashOf({ screen: 'enrol' })}>
              {texts.banner.enrolAgain}
            </LinkButton>
            <Button kind="quiet" onClick={() => send({ type: 'removal-chosen', deviceId, onlyHere: true })}>
              {texts.banner.removeHere}
            </Button>
          </div>
        </Notice>
      ))}
    </>
  );
}

/** Notifications that the user wants and does not get, or may want. */
function PushNotice({ view: { state, texts, send } }: { view: View }) {
  const push = pushHealthOf(state);
  if (!push || state.accounts.length === 0 || push.state === 'active') return null;
  const { banner, settings } = texts;
  if (push.state === 'unreachable')
    return (
      <Notice tone="warn" icon="bell" title={banner.pushUnreachable}>
        <p>{banner.pushUnreachableText}</p>
      </Notice>
    );
  const isPrompt = push.state === 'off' && push.permission === 'prompt';
  const isUnsupported = push.state === 'off' && push.permission === 'unsupported';
  const isRevoked = push.state === 'revoked';
  return (
    <Notice tone="warn" icon="bell" title={isRevoked ? banner.pushRevoked : banner.pushOff}>
      <p>{isRevoked ? banner.pushRevokedText : banner.pushOffText}</p>
      <div class="actions">
        {isPrompt && (
          <Button isBusy={state.asksForPush} onClick={() => send({ type: 'push-chosen' })}>
            {settings.enable}
          </Button>
        )}
        {!isPrompt && !isUnsupported && (
          <LinkButton href={hashOf({ screen: 'settings' })}>{banner.pushSettings}</LinkButton>
        )}
      </div>
    </Notice>
  );
}

const UpdateNotice = ({ view: { texts, send } }: { view: View }) => (
  <Notice tone="neutral" icon="info">
    <p>{texts.banner.update}</p>
    <div class="actions">
      <Button onClick={() => send({ type: 'update-chosen' })}>{texts.banner.updateNow}</Button>
    </div>
  </Notice>
);
