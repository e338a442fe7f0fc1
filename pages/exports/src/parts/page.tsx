import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../../../app/src/components/icon.tsx';
import type { Tone } from '../text/words.ts';

/** The focus moves to this heading when the screen changes. */
export const Title = ({ children }: { children: ComponentChildren }) => (
  <h1 id="title" tabIndex={-1}>
    {children}
  </h1>
);

const icons: Record<Tone, IconName> = {
  good: 'check',
  bad: 'alert',
  warn: 'clock',
  info: 'info',
  neutral: 'offline',
};

/** A state in colour and in words. */
export const Chip = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <span class={`chip ${tone}`}>
    <Icon name={tone === 'neutral' ? 'info' : icons[tone]} />
    {children}
  </span>
);

export const Note = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <div class={`note ${tone}`}>
    <Icon name={icons[tone]} />
    <div>{children}</div>
  </div>
);

/** Tells at once, also by a screen reader, that something failed. */
export const Problem = ({ children, id }: { children: ComponentChildren; id?: string }) => (
  <p class="problem" role="alert" id={id}>
    <Icon name="alert" />
    <span>{children}</span>
  </p>
);

export const Working = ({ children }: { children: ComponentChildren }) => (
  <p class="working" role="status">
    <span class="spinner" aria-hidden="true" />
    {children}
  </p>
);

type ButtonProps = {
  kind?: 'primary' | 'secondary' | 'quiet';
  onClick: () => void;
  children: ComponentChildren;
  /** It stays in the tab order, and does nothing. */
  isBusy?: boolean;
  label?: string;
};

export const Button = ({ kind = 'secondary', onClick, children, isBusy = false, label }: ButtonProps) => (
  <button
    type="button"
    class={`button ${kind}`}
    aria-disabled={isBusy ? 'true' : undefined}
    aria-label={label}
    onClick={() => {
      if (!isBusy) onClick();
    }}
  >
    {children}
  </button>
);

/** Scrolls by itself, also with the keyboard, so that the page does not. */
export const Scrolling = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div class="scrolling" role="region" aria-label={label} tabIndex={0}>
    {children}
  </div>
);
