import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

/** Whose page it is, and what belongs beside that on every screen. For keyboards, a way past it. */
export const Header = ({
  name,
  skip,
  children,
}: {
  name: string;
  skip: string;
  children?: ComponentChildren;
}) => (
  <>
    <a class="skip" href="#title" onClick={focusTitle}>
      {skip}
    </a>
    <header class="top">
      <div class="wide cluster">
        <p class="brand">
          <Icon name="shield" />
          {name}
        </p>
        {children}
      </div>
    </header>
  </>
);

/** The hash is the page's route, so the link itself must not change it. */
function focusTitle(event: Event): void {
  event.preventDefault();
  document.getElementById('title')?.focus();
}
