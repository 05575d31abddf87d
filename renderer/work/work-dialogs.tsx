/** Dialogs of the user's work; also the setup every change needs once: stale answers, undo steps. */
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
