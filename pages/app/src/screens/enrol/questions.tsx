import { Button } from '#ui/buttons.tsx';
import { Icon } from '#ui/icon.tsx';
import { Notice, Problem, Title } from '#ui/states.tsx';
import { NameForm } from '../../components/name-form.tsx';
import type { EnrolStep } from '../../state/state.ts';
import { ForWhom } from './for-whom.tsx';
import type { View } from '../../view.ts';

export function NameDevice({ view }: { view: View }) {
  const { state, texts, send, services } = view;
  const { step } = state.enrolling ?? {};
  const typed = step?.at === 'name' ? step.typed : undefined;
  const suggestion = typed ?? state.enrolling?.name ?? state.enrolling?.pending?.name ?? services.deviceName;
  return (
    <>
      <Title>{texts.enrol.nameTitle}</Title>
      <ForWhom view={view} />
      <p>{texts.enrol.nameText}</p>
      <NameForm
        texts={texts}
        suggestion={suggestion}
        submit={texts.continue}
        onTyped={(text) => send({ type: 'typed', text })}
        onName={(name) => send({ type: 'named', name })}
      >
        <Button kind="quiet" onClick={() => send({ type: 'enrol-left' })}>
          {texts.cancel}
        </Button>
      </NameForm>
    </>
  );
}

/** Says why before the browser asks: a refusal there is hard to take back. */
export function AskForPush({ view: { state, texts, send } }: { view: View }) {
  const isDenied = state.push?.state === 'off' && state.push.permission === 'denied';
  return (
    <div class="stack">
      <span class="disc good">
        <Icon name="bell" />
      </span>
      <Title>{isDenied ? texts.enrol.pushDenied : texts.enrol.pushTitle}</Title>
      <p>{isDenied ? texts.enrol.pushDeniedText : texts.enrol.pushText}</p>
      {isDenied ? (
        <Button kind="primary" onClick={() => send({ type: 'push-skipped' })}>
          {texts.continue}
        </Button>
      ) : (
        <>
          <Button kind="primary" isBusy={state.asksForPush} onClick={() => send({ type: 'push-chosen' })}>
            {state.asksForPush ? texts.enrol.pushAsking : texts.enrol.pushAllow}
          </Button>
          <Button kind="quiet" onClick={() => send({ type: 'push-skipped' })}>
            {texts.enrol.pushSkip}
          </Button>
        </>
      )}
    </div>
  );
}

type PasskeyStep = Extract<EnrolStep, { at: 'passkey' }>;

export const AskForPasskey = ({ step, view }: { step: PasskeyStep; view: View }) => {
  const { texts, send } = view;
  return (
    <div class="stack">
      <span class="disc good">
        <Icon name="key" />
      </span>
      <Title>{texts.enrol.passkeyTitle}</Title>
      <ForWhom view={view} />
      <p>{texts.enrol.passkeyText}</p>
      {step.isRequired && <Notice tone="neutral" icon="info" title={texts.enrol.passkeyRequired} />}
      {step.problem && <Problem>{texts.enrol.passkeyProblems[step.problem]}</Problem>}
      <Button kind="primary" onClick={() => send({ type: 'passkey-chosen' })}>
        {texts.enrol.passkeyCreate}
      </Button>
      <Button kind="quiet" onClick={() => send({ type: step.isRequired ? 'enrol-left' : 'passkey-skipped' })}>
        {step.isRequired ? texts.cancel : texts.enrol.passkeySkip}
      </Button>
    </div>
  );
};
