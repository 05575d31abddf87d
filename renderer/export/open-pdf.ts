/** Opens a PDF that the engine makes: in the system's viewer in the desktop app, in a tab of the browser. */
import { findDesktop } from '../client/desktop.ts';

/** A PDF on the shelf of exports. */
export const openPdf = (id: string): void => void pdfOpener().show(id);

/** Call it when the button is pressed: a tab that opens only after waiting is blocked as a popup. */
export function pdfOpener() {
  const desktop = findDesktop();
  const tab = desktop ? null : window.open('', '_blank');
  return {
    /** @returns false if the browser let no tab open */
    show: async (id: string): Promise<boolean> => {
      if (desktop) await desktop.openPdf(id);
      else if (tab) tab.location.href = `/app/print/${id}`;
      return desktop !== null || tab !== null;
    },
    /** There is nothing to show. */
    giveUp: (): void => tab?.close(),
  };
}
