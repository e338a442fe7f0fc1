import { Button } from '#ui/buttons.tsx';
import { Notice, Problem } from '#ui/states.tsx';
import { countText } from '#ui/times.ts';
import type { Export } from '../api/shapes.ts';
import type { LogCheck } from '../log/check-log.ts';
import { logTitle } from '../text/log-title.ts';
import type { View } from '../view.ts';

/** Whether the log of accepted events is still the one of earlier visits, with the checkpoint to keep. */
export function LogPanel({ view, one: { category } }: { view: View; one: Export }) {
  const { isLoading, problem, found } = view.state.panels[category].log;
  const check = (pasted?: string): void => void view.actions.checkLog(category, pasted);
  return (
    <section class="card" aria-labelledby="log-title">
      <h2 id="log-title">Log</h2>
      <p>
        The log has a trace of each accepted event. If you keep one of its checkpoints, nobody can change or
        remove earlier events without your notice, not even the operator.
      </p>
      <div class="actions">
        <Button isBusy={isLoading} onClick={() => check()}>
          Check the log
        </Button>
      </div>
      {problem !== undefined && <Problem>{problem}</Problem>}
      {found && <Found found={found} />}
      {found && found.checkpoint !== '' && <ToKeep view={view} text={found.checkpoint} />}
      <details>
        <summary>Compare with a checkpoint that you kept</summary>
        <Paste isBusy={isLoading} check={check} />
      </details>
      <p class="muted small">
        This page is the operator’s, too. <code>verifyLog()</code> of <code>@omi/consumer</code> checks the
        same on a machine of yours, with the signatures, and compares each event with your copy.
      </p>
    </section>
  );
}

const tones = {
  first: 'info',
  unchanged: 'good',
  changed: 'bad',
  'other-log': 'warn',
  unreadable: 'bad',
} as const;

const Found = ({ found }: { found: LogCheck }) => (
  <Notice tone={tones[found.outcome]} title={logTitle(found)}>
    <p>{explanationOf(found)}</p>
  </Notice>
);

function explanationOf({ outcome, size }: LogCheck): string {
  const minutes = `The log has ${countText(size)} ${size === 1 ? 'minute' : 'minutes'} with events.`;
  switch (outcome) {
    case 'first':
      return `${minutes} From now on this browser notices changes. Copy the checkpoint, and keep it elsewhere, too.`;
    case 'unchanged':
      return minutes;
    case 'changed':
      return 'Somebody changed it or removed a part of it. Keep both checkpoints: with their signatures they are the proof. Then ask your operator.';
    case 'other-log':
      return 'After a restore, a new log begins with the last checkpoint of the log before it. If the service has another address, its logs have other names. verifyLog() follows both.';
    case 'unreadable':
      return 'Copy the whole of it, with the line that begins with a dash.';
  }
}

const ToKeep = ({ view: { state, actions }, text }: { view: View; text: string }) => (
  <div class="stack tight">
    <pre class="well code" tabIndex={0} role="region" aria-label="The checkpoint">
      {text}
    </pre>
    <div class="actions">
      <Button label="Copy the checkpoint" onClick={() => void actions.copy('checkpoint', text)}>
        {state.copied === 'checkpoint' ? 'Copied' : 'Copy'}
      </Button>
    </div>
  </div>
);

function Paste({ isBusy, check }: { isBusy: boolean; check: (text: string) => void }) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('kept') as HTMLTextAreaElement;
    if (!isBusy && field.value.trim() !== '') check(field.value);
  };
  return (
    <form onSubmit={submit} autocomplete="off">
      <label for="kept">Checkpoint</label>
      <textarea id="kept" name="kept" rows={5} spellcheck={false} maxLength={2_000} />
      <div class="actions">
        <Button submits isBusy={isBusy}>
          Compare
        </Button>
      </div>
    </form>
  );
}
