import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '#ui/buttons.tsx';
import { Problem } from '#ui/states.tsx';
import { tidyName } from '../text/device-name.ts';
import type { View } from '../view.ts';

type NameFormProps = {
  texts: View['texts'];
  /** What the field has at first. */
  suggestion: string;
  submit: string;
  isBusy?: boolean;
  onTyped?: (text: string) => void;
  onName: (name: string) => void;
  /** Below the button. */
  children?: ComponentChildren;
};

/** Asks what the user calls this device. */
export function NameForm({
  texts,
  suggestion,
  submit,
  isBusy = false,
  onTyped,
  onName,
  children,
}: NameFormProps) {
  const [isMissing, setMissing] = useState(false);
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get('name');
        const name = typeof typed === 'string' ? tidyName(typed) : '';
        setMissing(name === '');
        if (name !== '') onName(name);
      }}
    >
      {isMissing && <Problem id="name-problem">{texts.enrol.nameMissing}</Problem>}
      <div class="field">
        <label for="name">{texts.enrol.nameLabel}</label>
        <input
          id="name"
          name="name"
          type="text"
          maxLength={64}
          autoComplete="off"
          defaultValue={suggestion}
          onInput={({ currentTarget: { value } }) => onTyped?.(value)}
          aria-invalid={isMissing ? 'true' : undefined}
          aria-describedby={isMissing ? 'name-problem' : undefined}
        />
      </div>
      <Button kind="primary" submits isBusy={isBusy}>
        {submit}
      </Button>
      {children}
    </form>
  );
}
