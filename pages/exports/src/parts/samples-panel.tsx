import { Button } from '#ui/buttons.tsx';
import { Notice, Problem, Working } from '#ui/states.tsx';
import type { Export } from '../api/shapes.ts';
import { isUnderTest } from '../state/test-progress.ts';
import type { View } from '../view.ts';

/** How events of each type look, and one of them as a test. */
export function SamplesPanel({ view, one }: { view: View; one: Export }) {
  const { state, actions } = view;
  const { category } = one;
  const { list, isLoading, problem } = state.panels[category].samples;
  return (
    <section class="card" aria-labelledby="samples-title">
      <h2 id="samples-title">Sample events</h2>
      <p>
        An event of each type that this export has. One of them can be sent as a test: your programs know it
        by its <code>producerId</code> <code>omi-test</code>, and no ledger counts it.
      </p>
      {!list && (
        <div class="actions">
          <Button isBusy={isLoading} onClick={() => void actions.loadSamples(category)}>
            Show the samples
          </Button>
        </div>
      )}
      {problem !== undefined && <Problem>{problem}</Problem>}
      {!list && isLoading && <Working>Asking the service …</Working>}
      {list && <Sample view={view} one={one} />}
    </section>
  );
}

function Sample({ view: { state, actions }, one }: { view: View; one: Export }) {
  const { category } = one;
  const { list = [], chosen = list[0]?.metadata.type } = state.panels[category].samples;
  const sample = list.find(({ metadata }) => metadata.type === chosen);
  const request = state.panels[category].test;
  const isBusy = request.phase === 'sending' || isUnderTest(one);
  if (!sample)
    return (
      <Notice tone="info">
        <p>There is no sample of the types of this export.</p>
      </Notice>
    );
  return (
    <>
      <div class="field">
        <label for="sample-type">Type</label>
        <select
          id="sample-type"
          value={chosen}
          onChange={({ currentTarget }) => actions.chooseSample(category, currentTarget.value)}
        >
          {list.map(({ metadata: { type } }) => (
            <option key={type} value={type}>
              {type}
            </option>
          ))}
        </select>
      </div>
      <pre class="answer" tabIndex={0} aria-label={`A sample of ${chosen}`}>
        {JSON.stringify(sample, null, 2)}
      </pre>
      {state.session?.canAct && (
        <div class="actions">
          <Button isBusy={isBusy} onClick={() => void actions.test(category, { type: sample.metadata.type })}>
            Send this event as a test
          </Button>
        </div>
      )}
    </>
  );
}
