import { useState } from 'preact/hooks';
import { Button } from '../../components/buttons.tsx';
import { Title } from '../../components/page.tsx';
import type { View } from '../../view.ts';

/** The Home Screen's app has other storage than the browser's tab. A key made in the tab would stay in the tab. */
export function InstallFirst({ view: { state, texts, send, services } }: { view: View }) {
  const [isCopied, setCopied] = useState(false);
  const { text } = state.enrolling ?? {};
  const copy = async (): Promise<void> => {
    await services.copy(text ?? '');
    setCopied(true);
  };
  return (
    <>
      <Title>{texts.enrol.installTitle}</Title>
      <p>{texts.enrol.installText}</p>
      <ol class="steps">
        {texts.enrol.installSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {text !== undefined && (
        <Button kind="primary" onClick={() => void copy()}>
          {texts.enrol.installCopy}
        </Button>
      )}
      <p role="status" class="muted small">
        {isCopied && texts.enrol.installCopied}
      </p>
      <Button kind="quiet" onClick={() => send({ type: 'install-skipped' })}>
        {texts.enrol.installSkip}
      </Button>
    </>
  );
}
