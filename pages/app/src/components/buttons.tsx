import type { ComponentChildren } from 'preact';

type ButtonProps = {
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  readonly onClick?: () => void;
  /** Submits its form. */
  readonly submits?: boolean;
  readonly isBusy?: boolean;
  readonly label?: string;
};

/** A busy button keeps the focus, and says so. */
export const Button = ({ children, kind = 'secondary', onClick, submits, isBusy, label }: ButtonProps) => (
  <button
    type={submits ? 'submit' : 'button'}
    class={`button ${kind}`}
    aria-disabled={isBusy ? 'true' : undefined}
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
