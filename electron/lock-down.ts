/** Denies every page, however created: leaving, opening windows, devices, the network. */
import type { App, Session } from 'electron/main';
import { mayDownload, mayHave, mayLoad, mayNavigate } from './page-policy.ts';

/** Call it before the first page: it applies to every later webContents. */
export function lockDownPages(app: App): void {
  app.on('web-contents-created', (_created, page) => {
    const refuseForeign = (event: { readonly url: string; preventDefault(): void }): void => {
      if (!mayNavigate(event.url)) event.preventDefault();
    };
    page.on('will-navigate', refuseForeign);
    page.on('will-frame-navigate', refuseForeign);
    page.on('will-redirect', refuseForeign);
    page.on('will-attach-webview', (event) => event.preventDefault());
    page.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
}

/** @param isLocationOn the current state of the user's switch */
export function lockDownSession(session: Session, isLocationOn: () => boolean): void {
  session.setPermissionRequestHandler((page, permission, answer, details) =>
    answer(mayHave(permission, details.requestingUrl || page.getURL(), isLocationOn())),
  );
  session.setPermissionCheckHandler((_page, permission, origin) => mayHave(permission, origin, isLocationOn()));
  session.setDevicePermissionHandler(() => false);
  session.setSpellCheckerEnabled(false);
  session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !mayLoad(details.url) }));
  session.on('will-download', (event, item) => {
    if (!mayDownload(item.getURL())) event.preventDefault();
  });
}
