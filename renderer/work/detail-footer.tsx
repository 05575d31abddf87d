/** Next actions, below the parcel. */
import { ArrowRight, ListPlus, NotebookPen, Tag } from 'lucide-react';
import { useState } from 'react';
import { localDay } from '../desk/next-date.ts';
import { StageMark, StageMenu } from '../desk/stage-mark.tsx';
import { useRead } from '../state/client-context.tsx';
import { navigation } from '../state/navigation.ts';
import { showNotes } from './work-commands.ts';

export const DetailFooter = ({ propertyId }: { propertyId: number }) => (
  <div className="detail-foot">
    <button type="button" className="button" onClick={() => navigation.set({ over: 'tag' })}>
      <Tag aria-hidden />
      Tag
    </button>
    <button type="button" className="button" onClick={() => showNotes(propertyId)}>
      <NotebookPen aria-hidden />
      Note
    </button>
    <button type="button" className="button" onClick={() => navigation.set({ over: 'add-to-list' })}>
      <ListPlus aria-hidden />
      Add to list
    </button>
    <MoveOn key={propertyId} propertyId={propertyId} />
  </div>
);

/** The stage of its deal; a parcel without one is put on the Desk. */
function MoveOn({ propertyId }: { propertyId: number }) {
  const [isOpen, setOpen] = useState(false);
  const { data } = useRead('deals', { ids: [propertyId], today: localDay() }, { isLasting: true });
  const stage = data?.results.find(({ property_id: id }) => id === propertyId)?.stage ?? null;
  return (
    <StageMenu ids={[propertyId]} stage={stage} isOpen={isOpen} onOpenChange={setOpen} button="button">
      {stage ? <StageMark stage={stage} /> : <ArrowRight aria-hidden />}
      Move on
    </StageMenu>
  );
}
