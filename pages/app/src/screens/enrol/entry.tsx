import { useEffect, useRef } from 'preact/hooks';
import { Button } from '#ui/buttons.tsx';
import { Icon } from '#ui/icon.tsx';
import { Problem, Title, Working } from '#ui/states.tsx';
import { BackLink } from '../../components/page.tsx';
import type { EnrolStep } from '../../state/state.ts';
import type { View } from '../../view.ts';

type Step = Extract<EnrolStep, { at: 'entry' }>;

/** How the enrolment link comes into the app: by the camera, or pasted. */
export function Entry({ step, view }: { step: Step; view: View }) {
  if (step.way === 'scan') return <Scan view={view} />;
  const { texts, send } = view;
  return (
    <>
      <div class="topline">
        <BackLink to={{ screen: 'home' }}>{texts.back}</BackLink>
      </div>
      <Title>{texts.enrol.title}</Title>
      <p>{texts.enrol.intro}</p>
      {step.problem && <Problem id="link-problem">{texts.enrol.problems[step.problem]}</Problem>}
      <Button kind="primary" onClick={() => send({ type: 'entry-chosen', way: 'scan' })}>
        <Icon name="camera" />
        {texts.enrol.scan}
      </Button>
      <PasteForm view={view} step={step} />
    </>
  );
}

const PasteForm = ({
  view: { state, texts, send },
  step: { typed, problem },
}: {
  view: View;
  step: Step;
}) => (
  <form
    class="paste"
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      const text = new FormData(event.currentTarget).get('link');
      if (typeof text === 'string') send({ type: 'link', text: text.trim() });
    }}
  >
    <div class="field">
      <label for="link">{texts.enrol.linkLabel}</label>
      <input
        id="link"
        name="link"
        type="url"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellcheck={false}
        defaultValue={typed ?? state.enrolling?.text}
        onInput={({ currentTarget: { value } }) => send({ type: 'typed', text: value })}
        aria-describedby={problem ? 'link-problem link-hint' : 'link-hint'}
        aria-invalid={problem ? 'true' : undefined}
      />
      <p class="muted small" id="link-hint">
        {texts.enrol.linkHint}
      </p>
    </div>
    <Button submits>{texts.enrol.useLink}</Button>
  </form>
);

function Scan({ view }: { view: View }) {
  const { texts, send, services } = view;
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const stop = new AbortController();
    if (video.current) void services.scan(video.current, stop.signal);
    return () => stop.abort();
  }, [services]);
  return (
    <>
      <Title>{texts.enrol.scanTitle}</Title>
      <p>{texts.enrol.scanText}</p>
      <div class="camera">
        <Working isSilent>{texts.enrol.scanStarting}</Working>
        <video ref={video} muted playsInline aria-label={texts.enrol.camera} />
      </div>
      <Button onClick={() => send({ type: 'entry-chosen', way: 'choose' })}>{texts.enrol.stopScan}</Button>
    </>
  );
}
