import { Button } from '#ui/buttons.tsx';
import type { Policy } from '../api/shapes.ts';
import { documentName } from '../text/labels.ts';
import type { View } from '../view.ts';

const indented = (value: unknown): string => JSON.stringify(value, null, 2);

/** What must be in a policy of the tenant, ready to paste. */
export const PolicyToPaste = ({ view, policy }: { view: View; policy: Policy }) => (
  <section class="card" aria-labelledby="policy-title">
    <h2 id="policy-title">Policy to paste</h2>
    <p>{documentName(policy)} must have this statement:</p>
    <Text view={view} name="statement" text={indented(policy.statement)} />
    {policy.whole !== undefined && (
      <details>
        <summary>The whole policy</summary>
        <p class="muted small">Keep statements of your own beside these.</p>
        <Text view={view} name="whole policy" text={indented(policy.whole)} />
      </details>
    )}
  </section>
);

function Text({ view: { state, actions }, name, text }: { view: View; name: string; text: string }) {
  return (
    <div class="stack tight">
      <pre class="well code" tabIndex={0} role="region" aria-label={`The ${name} as JSON`}>
        {text}
      </pre>
      <Button label={`Copy the ${name}`} onClick={() => void actions.copy(name, text)}>
        {state.copied === name ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}
