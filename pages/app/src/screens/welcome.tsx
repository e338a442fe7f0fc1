import { LinkButton } from '#ui/buttons.tsx';
import { Icon } from '#ui/icon.tsx';
import { Hero } from '#ui/states.tsx';
import { hashOf } from '../routes.ts';
import type { View } from '../view.ts';

/** Nothing is set up on this device. */
export const Welcome = ({ view: { texts } }: { view: View }) => (
  <Hero icon="shield" title={texts.home.welcomeTitle}>
    <p>{texts.home.welcomeText}</p>
    <LinkButton kind="primary" href={hashOf({ screen: 'enrol' })}>
      {texts.home.welcomeStart}
    </LinkButton>
    <p class="hint">
      <Icon name="info" />
      <span>{texts.home.welcomeHow}</span>
    </p>
  </Hero>
);
