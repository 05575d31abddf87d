/** Starts the window: settings, the engine's client, the app. */
import './styles/index.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connectEngine } from './client/desktop.ts';
import { App } from './frame/app.tsx';
import { followDesktop } from './frame/desktop-ears.ts';
import { walkHistory } from './frame/history.ts';
import { screenList } from './screens/screens.tsx';
import { ClientProvider, readKey } from './state/client-context.tsx';
import { withContact } from './state/contact.ts';
import { rememberInHome } from './state/home-memory.ts';
import { followAddress } from './state/navigation.ts';
import { withOtherWindows } from './state/other-windows.ts';
import { applySettings } from './state/settings.ts';

applySettings();
followAddress(screenList.map(({ id }) => id));
walkHistory();

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

const engine = connectEngine();
const patient = withContact(engine);
const client = withOtherWindows(patient, queries);
followDesktop(client);

// Nothing is drawn without it: asked beside what windows remember, not after it.
void queries.prefetchQuery({ queryKey: readKey('home', {}), queryFn: () => client.read('home', {}) });

const root = document.getElementById('root');
// Other windows need not read anything again, and the first picture is not one of another filter.
await rememberInHome(engine, patient);
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
