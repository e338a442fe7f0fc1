import type { ComponentChildren } from 'preact';

type ButtonProps = {
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  readonly onClick?: () => void;
  /** Submits its form. */
  readonly submits?: boolean;
  readonly isBusy?: boolean;
  /** One of several, of which some are chosen. */
  readonly isPressed?: boolean;
  readonly label?: string;
};

/** A busy button keeps the focus, and says so. */
export const Button = ({
  children,
  kind = 'secondary',
  onClick,
  submits,
  isBusy,
  isPressed,
  label,
}: ButtonProps) => (
  <button
    type={submits ? 'submit' : 'button'}
    class={`button ${kind}`}
    aria-disabled={isBusy ? 'true' : undefined}
    aria-pressed={isPressed}
    aria-label={label}
    onClick={isBusy ? (event) => event.preventDefault() : onClick}
  >
    {children}
  </button>
);

export const LinkButton = ({
  children,
  href,
  kind = 'secondary',
  label,
}: {
  children: ComponentChildren;
  href: string;
  kind?: 'primary' | 'secondary' | 'quiet';
  label?: string;
}) => (
  <a class={`button ${kind}`} href={href} aria-label={label}>
    {children}
  </a>
);
