import { LinkButton } from '#ui/buttons.tsx';
import { Hero, Problem, Title } from '#ui/states.tsx';
import { AccountName } from '../components/account-name.tsx';
import { NameForm } from '../components/name-form.tsx';
import { BackLink } from '../components/page.tsx';
import { hashOf } from '../routes.ts';
import { accountOf } from '../state/state.ts';
import type { View } from '../view.ts';

/** Changes what the user calls this device, here and where the website lists it. */
export function Rename({ view, deviceId }: { view: View; deviceId: string }) {
  const { state, texts, send } = view;
  const account = accountOf(state, deviceId);
  if (!account)
    return (
      <Hero icon="info" title={texts.remove.unknown}>
        <LinkButton href={hashOf({ screen: 'settings' })}>{texts.back}</LinkButton>
      </Hero>
    );
  const renaming = state.renaming?.deviceId === deviceId ? state.renaming : undefined;
  const isBusy = renaming?.phase === 'working';
  return (
    <>
      <div class="topline">
        <BackLink to={{ screen: 'settings' }}>{texts.back}</BackLink>
      </div>
      <Title>{texts.rename.title}</Title>
      <p class="well">
        <AccountName account={account} />
      </p>
      <p>{texts.enrol.nameText}</p>
      {renaming?.phase === 'failed' && <Problem>{texts.rename.failed}</Problem>}
      <NameForm
        texts={texts}
        suggestion={renaming?.typed ?? account.name}
        submit={isBusy ? texts.rename.working : texts.rename.save}
        isBusy={isBusy}
        onTyped={(text) => send({ type: 'rename-typed', deviceId, text })}
        onName={(name) => send({ type: 'rename-chosen', deviceId, name })}
      />
    </>
  );
}
