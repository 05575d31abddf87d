/** Below a list box that has no lines: within it only lines are allowed, and a screen reader would not say the words. */
import type { ReactNode } from 'react';

export const NothingListed = ({ isEmpty, children }: { isEmpty: boolean; children: ReactNode }) => (
  <div role="status">{isEmpty ? <p className="menu-caption">{children}</p> : null}</div>
);
