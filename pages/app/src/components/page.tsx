import type { ComponentChildren } from 'preact';
import { hashOf, type Route } from '../routes.ts';
import { Icon, type IconName } from './icon.tsx';

/** The focus moves to this heading when the screen changes. */
export const Title = ({ children, isHidden }: { children: ComponentChildren; isHidden?: boolean }) => (
  <h1 id="title" tabIndex={-1} class={isHidden ? 'hidden' : undefined}>
    {children}
  </h1>
);

export const BackLink = ({ to, children }: { to: Route; children: ComponentChildren }) => (
  <a class="back" href={hashOf(to)}>
    <Icon name="back" />
    {children}
  </a>
);

export type Tone = 'neutral' | 'good' | 'bad' | 'warn';

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
    <span class="hero-icon">
      <Icon name={icon} />
    </span>
    <Title>{title}</Title>
    {children}
  </div>
);

export const Notice = ({
  tone,
  icon,
  title,
  children,
}: {
  tone: Tone;
  icon: IconName;
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

/** Tells at once, also by a screen reader, that something failed. */
export const Problem = ({ children, id }: { children: ComponentChildren; id?: string }) => (
  <p class="problem" role="alert" id={id}>
    <Icon name="alert" />
    <span>{children}</span>
  </p>
);

/** Work that takes a moment. */
export const Working = ({ children }: { children: ComponentChildren }) => (
  <p class="working">
    <span class="spinner" aria-hidden="true" />
    {children}
  </p>
);

/** A screen that has only this to say. */
export const WorkingScreen = ({ children }: { children: string }) => (
  <>
    <Title isHidden>{children}</Title>
    <Working>{children}</Working>
  </>
);
