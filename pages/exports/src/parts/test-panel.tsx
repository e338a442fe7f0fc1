import { Button } from '#ui/buttons.tsx';
import { Chip, Problem } from '#ui/states.tsx';
import type { Export, LastTest } from '../api/shapes.ts';
import { isUnderTest } from '../state/test-progress.ts';
import { agoText, durationText, timeText } from '#ui/times.ts';
import { outcomeLabels } from '../text/labels.ts';
import type { View } from '../view.ts';

/** Asks for a test, and follows it. */
export function TestPanel({ view: { state, actions }, one }: { view: View; one: Export }) {
  const request = state.panels[one.category].test;
  const isBusy = request.phase === 'sending' || isUnderTest(one);
  return (
    <section class="card" aria-labelledby="test-title">
      <h2 id="test-title">Test</h2>
      <p>
        A test checks trust, permissions and encryption, and leaves a record without events. The service tests
        by itself every day.
      </p>
      {one.lastTest && <Outcome test={one.lastTest} now={state.now} />}
      {request.phase === 'refused' && <Problem>{request.problem}</Problem>}
      {state.session?.canAct && needsProof(one) && (
        <ProofForm isBusy={isBusy} send={(proof) => void actions.test(one.category, { proof })} />
      )}
      {state.session?.canAct && (
        <div class="actions">
          <Button kind="primary" isBusy={isBusy} onClick={() => void actions.test(one.category)}>
            {isBusy ? 'Testing …' : 'Test now'}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Codes of a bucket whose owner has not yet shown that it can be read. */
const unproven = /(^|\.)(OwnershipUnproven|WrongProof)$/;

const needsProof = ({ code, lastTest }: Export): boolean =>
  [code, lastTest?.code].some((one) => one !== undefined && unproven.test(one));

/** Only who can read the bucket knows the text. */
function ProofForm({ isBusy, send }: { isBusy: boolean; send: (proof: string) => void }) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const field = form.elements.namedItem('proof') as HTMLInputElement;
    if (!isBusy && field.value.trim() !== '') send(field.value.trim());
  };
  return (
    <form onSubmit={submit} autocomplete="off">
      <label for="proof">Text of the service's object in your bucket</label>
      <input id="proof" name="proof" type="text" autocomplete="off" spellcheck={false} maxLength={256} />
      <div class="actions">
        <Button kind="primary" submits isBusy={isBusy}>
          Test with this text
        </Button>
      </div>
    </form>
  );
}

type Step = { name: string; state: 'done' | 'current' | 'to come' };

const stateOf = (isDone: boolean, isCurrent: boolean): Step['state'] =>
  isDone ? 'done' : isCurrent ? 'current' : 'to come';

function stepsOf({ outcome }: LastTest): Step[] {
  const hasBegun = outcome !== 'waiting';
  const hasEnded = hasBegun && outcome !== 'running';
  return [
    { name: 'Asked for', state: 'done' },
    { name: 'Running', state: stateOf(hasEnded, hasBegun) },
    { name: 'Outcome', state: stateOf(hasEnded, false) },
  ];
}

function Outcome({ test, now }: { test: LastTest; now: number }) {
  const { label, tone } = outcomeLabels[test.outcome];
  const took =
    test.endedAt === undefined ? undefined : Date.parse(test.endedAt) - Date.parse(test.requestedAt);
  return (
    <div class="stack tight">
      <ol class="steps" aria-label="Progress of the test">
        {stepsOf(test).map(({ name, state }) => (
          <li
            key={name}
            class={state.replace(' ', '-')}
            aria-current={state === 'current' ? 'step' : undefined}
          >
            {name}
            <span class="hidden"> ({state})</span>
          </li>
        ))}
      </ol>
      <p>
        <Chip tone={tone}>{label}</Chip>{' '}
        {test.endedAt !== undefined && (
          <time dateTime={test.endedAt} title={timeText(test.endedAt)}>
            {agoText(test.endedAt, now)}
          </time>
        )}
      </p>
      {test.event && (
        <p>
          With the event <code>{test.event.eventId}</code>, a {test.event.type}.
        </p>
      )}
      {test.reason !== undefined && test.outcome !== 'passed' && <p>{test.reason}</p>}
      <p class="muted small">
        Asked for {agoText(test.requestedAt, now)}, on {timeText(test.requestedAt)}
        {took !== undefined && took >= 0 && `; it took ${durationText(took)}`}
        {test.nextAt !== undefined && `; the service tests again ${agoText(test.nextAt, now)}`}.
      </p>
    </div>
  );
}
