/** Settings: appearance, behavior, and the data and interfaces of the app. */
import { AboutPart, DiagnosticsPart } from './settings/about-part.tsx';
import { ApiPart } from './settings/api-part.tsx';
import { BaseMapsPart } from './settings/base-maps-part.tsx';
import { DataPart } from './settings/data-part.tsx';
import { FeedsPart } from './settings/feeds-part.tsx';
import { KeysPart } from './settings/keys-part.tsx';
import { LocationPart } from './settings/location-part.tsx';
import { LooksPart } from './settings/looks-part.tsx';
import { OptOutsPart } from './settings/opt-outs-part.tsx';
import { UsagePart } from './settings/plan-part.tsx';

export const SettingsScreen = () => (
  <section className="page" aria-label="Settings">
    <header className="page-head">
      <h1>Settings</h1>
    </header>
    <div className="scroll">
      <div className="settings-body">
        <LooksPart />
        <LocationPart />
        <ApiPart />
        <KeysPart />
        <FeedsPart />
        <DataPart />
        <OptOutsPart />
        <BaseMapsPart />
        <UsagePart />
        <DiagnosticsPart />
        <AboutPart />
      </div>
    </div>
  </section>
);
