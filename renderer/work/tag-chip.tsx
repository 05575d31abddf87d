/** A tag in its color. */
import { X } from 'lucide-react';
import type { TagColor } from '../../engine/spec/tag-colors.ts';

export const TagChip = ({
  name,
  color,
  onRemove,
}: {
  name: string;
  color: TagColor;
  onRemove?: (() => void) | undefined;
}) => (
  <span className="tag-chip" data-color={color}>
    <span className="ellipsis">{name}</span>
    {onRemove ? (
      <button type="button" aria-label={`Remove the tag ${name}`} onClick={onRemove}>
        <X aria-hidden />
      </button>
    ) : null}
  </span>
);
