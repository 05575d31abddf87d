/** Next actions, below the parcel. */
import { ListPlus, NotebookPen, Tag } from 'lucide-react';
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
  </div>
);
