/** Starts the window: settings, the engine's client, the app. */
import './styles/index.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connectEngine } from './client/desktop.ts';
import { App } from './frame/app.tsx';
import { followDesktop } from './frame/desktop-ears.ts';
import { screenList } from './screens/screens.tsx';
import { ClientProvider } from './state/client-context.tsx';
import { followAddress } from './state/navigation.ts';
import { withOtherWindows } from './state/other-windows.ts';
import { applySettings } from './state/settings.ts';

applySettings();
followAddress(screenList.map(({ id }) => id));

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The listener is on this machine: a retry gets the same refusal, and there is no network to recover.
      retry: false,
      networkMode: 'always',
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  },
});

const client = withOtherWindows(connectEngine(), queries);
followDesktop(client);

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <ClientProvider client={client}>
          <App />
        </ClientProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
