/** The text typed for a skip trace by name. Not stored: it names a person. */
import { navigation } from '../state/navigation.ts';
import { createStore } from '../state/store.ts';
import type { TracedPerson } from './trace-words.ts';

export const traceFields = ['first_name', 'last_name', 'address', 'city', 'state', 'zip'] as const;
export type TraceField = (typeof traceFields)[number];
export type TypedPerson = Readonly<Record<TraceField, string>>;

export const typedPerson = createStore<TypedPerson>(null, {
  first_name: '',
  last_name: '',
  address: '',
  city: '',
  state: '',
  zip: '',
});

/** @param person initial values; null: the text typed last */
export function openTraceDialog(person: TracedPerson | null): void {
  if (person)
    typedPerson.set({
      first_name: person.firstName,
      last_name: person.lastName,
      address: person.address ?? '',
      city: person.city ?? '',
      state: person.state ?? '',
      zip: person.zip ?? '',
    });
  navigation.set({ over: 'trace' });
}
