import { Button, LinkButton } from '#ui/buttons.tsx';
import { Hero, Problem, Title } from '#ui/states.tsx';
import { AccountName } from '../components/account-name.tsx';
import { BackLink } from '../components/page.tsx';
import { hashOf } from '../routes.ts';
import { accountOf } from '../state/state.ts';
import type { View } from '../view.ts';

/** Asks before a device is removed, as it cannot be undone. */
export function Remove({ view, deviceId }: { view: View; deviceId: string }) {
  const { state, texts, send } = view;
  const account = accountOf(state, deviceId);
  const settings = hashOf({ screen: 'settings' });
  if (!account)
    return (
      <Hero icon="info" title={texts.remove.unknown}>
        <LinkButton href={settings}>{texts.back}</LinkButton>
      </Hero>
    );
  const removal = state.removal?.deviceId === deviceId ? state.removal : undefined;
  const isWorking = removal?.phase === 'working';
  return (
    <>
      <div class="topline">
        <BackLink to={{ screen: 'settings' }}>{texts.back}</BackLink>
      </div>
      <Title>{texts.remove.title}</Title>
      <p class="well">
        <AccountName account={account} />
      </p>
      <p>{texts.remove.text}</p>
      <p>{texts.remove.open}</p>
      <p>{texts.remove.last}</p>
      {removal?.phase === 'failed' && <Problem>{problemOf(removal.code, texts)}</Problem>}
      <div class="actions">
        <LinkButton href={settings}>{texts.cancel}</LinkButton>
        <Button
          kind="primary"
          isBusy={isWorking}
          onClick={() => send({ type: 'removal-chosen', deviceId, onlyHere: false })}
        >
          {isWorking ? texts.remove.working : texts.remove.confirm}
        </Button>
      </div>
      {removal?.phase === 'failed' && (
        <>
          <Button kind="danger" onClick={() => send({ type: 'removal-chosen', deviceId, onlyHere: true })}>
            {texts.remove.onlyHere}
          </Button>
          <p class="muted small">{texts.remove.onlyHereText}</p>
        </>
      )}
    </>
  );
}

const unverified: readonly (string | undefined)[] = [
  'user-verification-required',
  'user-verification-failed',
  'passkey-counter',
];

function problemOf(code: string | undefined, { remove }: View['texts']): string {
  if (code === 'verification-cancelled') return remove.cancelled;
  return unverified.includes(code) ? remove.unverified : remove.failed;
}
