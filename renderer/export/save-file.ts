/** Hands a file from the engine to the user: the browser saves it, or the desktop app asks where. */
import { findDesktop } from '../client/desktop.ts';
import { toast } from '../state/toasts.ts';

export interface MadeFile {
  readonly id: string;
  readonly name: string;
}

export function saveFile({ id, name }: MadeFile): void {
  if (findDesktop()) void saveInDesktop(id);
  else saveInBrowser(id, name);
}

/** The window's cookie grants access; the answer is an attachment, so the page stays. */
function saveInBrowser(id: string, name: string): void {
  const link = document.createElement('a');
  link.href = `/app/download/${id}`;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

async function saveInDesktop(id: string): Promise<void> {
  const desktop = findDesktop();
  try {
    const saved = await desktop?.saveFile(id);
    if (!saved) return;
    const show = () => void desktop?.showFile(saved).catch(() => {});
    toast(`Saved as ${saved}`, { label: 'Show in folder', run: show });
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}
