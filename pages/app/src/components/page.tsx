import type { ComponentChildren } from 'preact';
import { Icon } from '#ui/icon.tsx';
import { Title, Working } from '#ui/states.tsx';
import { hashOf, type Route } from '../routes.ts';

export const BackLink = ({ to, children }: { to: Route; children: ComponentChildren }) => (
  <a class="back" href={hashOf(to)}>
    <Icon name="back" />
    {children}
  </a>
);

/** A screen that has only this to say. */
export const WorkingScreen = ({ children }: { children: string }) => (
  <>
    <Title isHidden>{children}</Title>
    <Working isSilent>{children}</Working>
  </>
);
