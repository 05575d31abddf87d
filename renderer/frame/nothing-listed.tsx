/** Stands below an empty list box: inside it only lines are allowed, and a screen reader would skip the words. */
import type { ReactNode } from 'react';

export const NothingListed = ({ isEmpty, children }: { isEmpty: boolean; children: ReactNode }) => (
  <div role="status">{isEmpty ? <p className="menu-caption">{children}</p> : null}</div>
);
