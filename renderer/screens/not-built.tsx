/** A screen that this version does not have says so, and how the same is done today. */
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import { EmptyState } from '../parts/states.tsx';

/** @param command a line of the command line that does it; @param what it does, as "list comparable sales" */
export const notBuilt = (title: string, Icon: LucideIcon, command: string, what: string): ComponentType =>
  function NotBuilt() {
    return (
      <section className="page" aria-label={title}>
        <header className="page-head">
          <h1>{title}</h1>
        </header>
        <EmptyState
          icon={<Icon aria-hidden />}
          title={`${title} is not in this window yet`}
          text={
            <>
              The engine behind it is. To {what} now: <span className="mono">{command}</span>
            </>
          }
        />
      </section>
    );
  };
