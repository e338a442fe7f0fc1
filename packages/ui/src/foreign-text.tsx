import { markHidden } from '../../../core/kernel/hidden-characters.ts';

/** Text by somebody else. Its direction cannot reach the text around it, and hidden characters become visible. */
export const ForeignText = ({ text }: { text: string }) => (
  <bdi dir="auto" class="foreign">
    {markHidden(text)}
  </bdi>
);
