/** What can be done with a PDF that was made. */
import { BookOpen, FileDown } from 'lucide-react';
import { openPdf } from './open-pdf.ts';
import { type MadeFile, saveFile } from './save-file.ts';

export const MadePdfButtons = ({ made }: { readonly made: MadeFile }) => (
  <div className="line">
    <button type="button" className="button" onClick={() => openPdf(made.id)}>
      <BookOpen aria-hidden />
      Open
    </button>
    <button type="button" className="button" onClick={() => saveFile(made)}>
      <FileDown aria-hidden />
      Save …
    </button>
  </div>
);
