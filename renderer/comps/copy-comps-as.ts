/** The list as a request of the public API, in common tools. The key is a placeholder, never a real one. */
import type { EngineClient } from '../client/engine-client.ts';
import { copyText } from '../parts/clipboard.ts';
import { apiAddressToBe } from '../state/api-address.ts';
import type { CompsInput } from './comps-query.ts';

interface CompsCopyForm {
  readonly id: 'curl' | 'power_query' | 'python' | 'node';
  readonly label: string;
  readonly text: (input: CompsInput, origin: string) => string;
}

/** Path of the public API; a test compares it with the operation's own. */
export const compsPath = '/api/public/v1/comps/';
const key = 'YOUR_KEY';

/** A list repeats its name: `point=-71.8&point=44.1`. */
const compsQueryString = (input: CompsInput): string =>
  Object.entries({ ...input, page_size: 500 })
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)]))
    .map(([name = '', text = '']) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
    .join('&');

const urlOf = (input: CompsInput, origin: string): string => `${origin}${compsPath}?${compsQueryString(input)}`;

const curl = (input: CompsInput, origin: string): string =>
  `curl -s '${urlOf(input, origin)}' \\\n  -H 'Authorization: Bearer ${key}'`;

const powerQuery = (input: CompsInput, origin: string): string => `let
  Get = (url as text) => Json.Document(Web.Contents(url, [Headers = [Authorization = "Bearer ${key}"]])),
  Pages = List.Generate(() => Get("${urlOf(input, origin)}"), each _ <> null,
    each if [next] = null then null else Get([next]), each [results]),
  Table = Table.FromRecords(List.Combine(Pages))
in
  Table`;

const python = (input: CompsInput, origin: string): string => `import json, urllib.request

url, comps = "${urlOf(input, origin)}", []
while url:
    request = urllib.request.Request(url, headers={"Authorization": "Bearer ${key}"})
    page = json.load(urllib.request.urlopen(request))
    comps += page["results"]
    url = page["next"]
print(len(comps), "comps")`;

const node = (input: CompsInput, origin: string): string => `const comps = [];
let url = '${urlOf(input, origin)}';
while (url) {
  const response = await fetch(url, { headers: { Authorization: 'Bearer ${key}' } });
  const page = await response.json();
  comps.push(...page.results);
  url = page.next;
}
console.log(comps.length, 'comps');`;

export const compsCopyForms: readonly CompsCopyForm[] = [
  { id: 'curl', label: 'curl', text: curl },
  { id: 'power_query', label: 'Power Query (Excel)', text: powerQuery },
  { id: 'python', label: 'Python', text: python },
  { id: 'node', label: 'Node', text: node },
];

/** @throws ClientError */
export const copyCompsAs = async (client: EngineClient, form: CompsCopyForm, input: CompsInput): Promise<void> =>
  copyText(form.text(input, await apiAddressToBe(client)), `Copied as ${form.label}`);
