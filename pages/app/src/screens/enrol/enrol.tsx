import { Button, LinkButton } from '#ui/buttons.tsx';
import { Hero } from '#ui/states.tsx';
import { AccountName } from '../../components/account-name.tsx';
import { WorkingScreen } from '../../components/page.tsx';
import { hashOf } from '../../routes.ts';
import { isFinal } from '../../state/enrolling.ts';
import type { EnrolStep } from '../../state/state.ts';
import type { Account } from '../../platform/index.ts';
import type { View } from '../../view.ts';
import { Entry } from './entry.tsx';
import { InstallFirst } from './install-first.tsx';
import { AskForPasskey, AskForPush, NameDevice } from './questions.tsx';

const beginning: EnrolStep = { at: 'entry', way: 'choose' };

/** Setting up this device, a screen for each step. */
export function Enrol({ view }: { view: View }) {
  const step = view.state.enrolling?.step ?? beginning;
  switch (step.at) {
    case 'entry':
      return <Entry step={step} view={view} />;
    case 'checking':
      return <WorkingScreen>{view.texts.enrol.checking}</WorkingScreen>;
    case 'install':
      return <InstallFirst view={view} />;
    case 'name':
      return <NameDevice view={view} />;
    case 'push':
      return <AskForPush view={view} />;
    case 'passkey':
      return <AskForPasskey step={step} view={view} />;
    case 'working':
      return <WorkingScreen>{view.texts.enrol.working}</WorkingScreen>;
    case 'failed':
      return <Failed code={step.code} view={view} />;
    case 'done':
      return <Done account={step.account} view={view} />;
  }
}

function Failed({ code, view: { texts, send } }: { code: string; view: View }) {
  const { failures } = texts.enrol;
  const text = Object.entries(failures).find(([known]) => known === code)?.[1] ?? failures.other;
  return (
    <Hero icon="alert" tone="bad" title={texts.enrol.failedTitle}>
      <p>{text}</p>
      {!isFinal(code) && (
        <Button kind="primary" onClick={() => send({ type: 'enrol-retried' })}>
          {texts.tryAgain}
        </Button>
      )}
      <Button
        kind={isFinal(code) ? 'primary' : 'secondary'}
        onClick={() => send({ type: 'entry-chosen', way: 'choose' })}
      >
        {texts.enrol.newLink}
      </Button>
    </Hero>
  );
}

function Done({ account, view: { state, texts } }: { account: Account; view: View }) {
  return (
    <Hero icon="check" tone="good" title={texts.enrol.doneTitle}>
      <p>{texts.enrol.doneText}</p>
      <p class="well">
        <AccountName account={account} />
      </p>
      {state.push?.state !== 'active' && <p class="muted">{texts.enrol.doneNoPush}</p>}
      <LinkButton kind="primary" href={hashOf({ screen: 'home' })}>
        {texts.done}
      </LinkButton>
    </Hero>
  );
}
