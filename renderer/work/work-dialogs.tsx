/** What the user's work asks over the window; also what every change needs once: the answers it makes old, the steps back. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ListDialog } from './list-dialog.tsx';
import { attachQueries } from './make-change.ts';
import { NameDialog } from './name-dialog.tsx';
import { TagDialog } from './tag-dialog.tsx';
import { watchFilterSteps } from './undo-steps.ts';

export function WorkDialogs() {
  const queries = useQueryClient();
  useEffect(() => attachQueries(queries), [queries]);
  useEffect(() => watchFilterSteps(), []);
  return (
    <>
      <TagDialog />
      <ListDialog />
      <NameDialog />
    </>
  );
}
