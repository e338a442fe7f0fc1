import { visibleText } from './visible-text.ts';

/** Text by somebody else. Its direction cannot reach the text around it, and hidden characters become visible. */
export const ForeignText = ({ text }: { text: string }) => (
  <bdi dir="auto" class="foreign">
    {visibleText(text)}
  </bdi>
);
