import { useState } from 'preact/hooks';
import { Button } from '#ui/buttons.tsx';
import { Title } from '#ui/states.tsx';
import { ForWhom } from './for-whom.tsx';
import type { View } from '../../view.ts';

/** The Home Screen's app has other storage than the browser's tab. A key made in the tab would stay in the tab. */
export function InstallFirst({ view }: { view: View }) {
  const { state, texts, send, services } = view;
  const [copying, setCopying] = useState<'copied' | 'failed'>();
  const { text } = state.enrolling ?? {};
  const copy = (link: string): void => {
    services.copy(link).then(
      () => setCopying('copied'),
      () => setCopying('failed'),
    );
  };
  return (
    <>
      <Title>{texts.enrol.installTitle}</Title>
      <ForWhom view={view} />
      <p>{texts.enrol.installText}</p>
      <ol class="steps">
        {texts.enrol.installSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {text !== undefined && (
        <Button kind="primary" onClick={() => copy(text)}>
          {texts.enrol.installCopy}
        </Button>
      )}
      <p role="status" class="muted small">
        {copying === 'copied' && texts.enrol.installCopied}
      </p>
      {copying === 'failed' && <input aria-label={texts.enrol.linkLabel} readOnly value={text} />}
      <Button kind="quiet" onClick={() => send({ type: 'install-skipped' })}>
        {texts.enrol.installSkip}
      </Button>
    </>
  );
}
