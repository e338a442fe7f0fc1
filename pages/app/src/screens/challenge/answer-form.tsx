import type { TargetedEvent } from 'preact';
import { Button, LinkButton } from '#ui/buttons.tsx';
import { Problem, Working } from '#ui/states.tsx';
import type { Texts } from '../../i18n/en.ts';
import { hashOf } from '../../routes.ts';
import { accountOf, type Answering, type Decision, type OpenChallenge } from '../../state/state.ts';
import type { View } from '../../view.ts';

/** Number, problem, and the three answers. */
export function AnswerForm({ open, view }: { open: OpenChallenge; view: View }) {
  const { state, texts } = view;
  const { challengeId, matchNumbers, typedNumber } = open.challenge;
  const answering = state.answering?.challengeId === challengeId ? state.answering : undefined;
  const isBusy = answering !== undefined && answering.phase !== 'idle';
  const { problem } = answering ?? {};
  const isAboutNumber = problem === 'number-missing' || problem === 'number-format';
  return (
    <form
      class="answer"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) decide(view, challengeId, 'confirm', numberIn(event));
      }}
    >
      {matchNumbers && <PickNumber numbers={matchNumbers} texts={texts} isWrong={isAboutNumber} />}
      {(typedNumber ?? answering?.asksNumber) && !matchNumbers && (
        <TypeNumber texts={texts} isWrong={isAboutNumber} isNew={!typedNumber} />
      )}
      {problem && <Problem id="answer-problem">{texts.challenge.problems[problem]}</Problem>}
      {(problem === 'passkey-counter' || problem === 'passkey-missing') && (
        <LinkButton kind="secondary" href={hashOf({ screen: 'enrol' })}>
          {texts.banner.enrolAgain}
        </LinkButton>
      )}
      {needsPasskey(open, view) && !isBusy && <p class="muted">{texts.challenge.needsPasskey}</p>}
      <div class="actions" aria-busy={isBusy ? 'true' : undefined}>
        <Button kind="secondary" isBusy={isBusy} onClick={() => decide(view, challengeId, 'deny')}>
          {texts.challenge.deny}
        </Button>
        <Button kind="primary" submits isBusy={isBusy}>
          {texts.challenge.confirm}
        </Button>
      </div>
      {problem === 'verification-cancelled' && open.context.userVerification === 'preferred' && (
        <ConfirmUnverified challengeId={challengeId} answering={answering} view={view} />
      )}
      <div class="progress">
        {!isBusy && <p class="muted small">{texts.challenge.hint}</p>}
        <div role="status">
          {isBusy && (
            <Working isSilent>
              {answering.phase === 'verifying' ? texts.challenge.verifying : texts.challenge.sending}
            </Working>
          )}
        </div>
      </div>
      <Button kind="danger" isBusy={isBusy} onClick={() => decide(view, challengeId, 'not_me')}>
        {texts.challenge.notMe}
      </Button>
    </form>
  );
}

function decide({ send }: View, challengeId: string, decision: Decision, number?: string): void {
  send({ type: 'decided', challengeId, decision, ...(number !== undefined && { number }) });
}

function numberIn({ currentTarget }: TargetedEvent<HTMLFormElement>): string | undefined {
  const number = new FormData(currentTarget).get('number');
  return typeof number === 'string' && number.trim() !== '' ? number.replace(/\s/g, '') : undefined;
}

const needsPasskey = ({ deviceId, context }: OpenChallenge, { state }: View): boolean =>
  context.userVerification !== 'off' && accountOf(state, deviceId)?.passkey !== undefined;

type NumberProps = { readonly texts: Texts; readonly isWrong: boolean };

/** None is preselected: a user who does not look at the website must not guess right by default. */
const PickNumber = ({ numbers, texts, isWrong }: NumberProps & { numbers: readonly string[] }) => (
  <fieldset class="numbers" aria-describedby={isWrong ? 'answer-problem' : undefined}>
    <legend>{texts.challenge.pickTitle}</legend>
    <p class="muted">{texts.challenge.pickHint}</p>
    <div class="number-choices">
      {numbers.map((number) => (
        <label key={number} class="number">
          <input type="radio" name="number" value={number} />
          <span>{number}</span>
        </label>
      ))}
    </div>
  </fieldset>
);

/** @param props `isNew`: it appears after a press on "Confirm", and is what the user needs next */
const TypeNumber = ({ texts, isWrong, isNew }: NumberProps & { isNew: boolean }) => (
  <div class="field">
    <label for="number">{texts.challenge.typeTitle}</label>
    <input
      id="number"
      name="number"
      class="number-input"
      type="text"
      inputMode="numeric"
      autoComplete="off"
      maxLength={7}
      placeholder="······"
      aria-invalid={isWrong ? 'true' : undefined}
      aria-describedby={isWrong ? 'answer-problem' : undefined}
      ref={isNew ? focusOnce : null}
    />
  </div>
);

const focusOnce = (input: HTMLInputElement | null): void => input?.focus();

/** The tenant prefers a passkey, and the user closed its dialog. */
const ConfirmUnverified = ({
  challengeId,
  answering,
  view,
}: {
  challengeId: string;
  answering: Answering | undefined;
  view: View;
}) => (
  <Button
    kind="quiet"
    onClick={() =>
      view.send({
        type: 'decided',
        challengeId,
        decision: 'confirm',
        unverified: true,
        number: answering?.number,
      })
    }
  >
    {view.texts.challenge.confirmUnverified}
  </Button>
);
