import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

/** What a state means to its reader, which colours it. */
export type Tone = 'neutral' | 'good' | 'bad' | 'warn' | 'info';

const icons: Readonly<Record<Tone, IconName>> = {
  neutral: 'info',
  good: 'check',
  bad: 'alert',
  warn: 'clock',
  info: 'info',
};

/** The focus moves to this heading when the screen changes. */
export const Title = ({ children, isHidden }: { children: ComponentChildren; isHidden?: boolean }) => (
  <h1 id="title" tabIndex={-1} class={isHidden ? 'hidden' : undefined}>
    {children}
  </h1>
);

/** A state in colour, in words and with an icon. */
export const Chip = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <span class={`chip ${tone}`}>
    <Icon name={icons[tone]} />
    {children}
  </span>
);

/** One thing in the middle of the screen: a result, an empty list, an error. */
export const Hero = ({
  icon,
  tone = 'neutral',
  title,
  children,
}: {
  icon: IconName;
  tone?: Tone;
  title: string;
  children?: ComponentChildren;
}) => (
  <div class={`hero ${tone}`}>
    <span class="disc">
      <Icon name={icon} />
    </span>
    <Title>{title}</Title>
    {children}
  </div>
);

export const Notice = ({
  tone,
  icon = icons[tone],
  title,
  children,
}: {
  tone: Tone;
  icon?: IconName;
  title?: ComponentChildren;
  children?: ComponentChildren;
}) => (
  <section class={`notice ${tone}`}>
    <Icon name={icon} />
    <div>
      {title !== undefined && <h2>{title}</h2>}
      {children}
    </div>
  </section>
);

/** Reports a failure at once, also to screen readers. */
export const Problem = ({ children, id }: { children: ComponentChildren; id?: string }) => (
  <p class="problem" role="alert" id={id}>
    <Icon name="alert" />
    <span>{children}</span>
  </p>
);

/** Work that takes a moment. It is announced, unless what is around it is. */
export const Working = ({ children, isSilent }: { children: ComponentChildren; isSilent?: boolean }) => (
  <p class="working" role={isSilent ? undefined : 'status'}>
    <span class="spinner" aria-hidden="true" />
    {children}
  </p>
);
